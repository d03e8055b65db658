// How long until the page is ready, and from pen up to the answer on screen, with 20 classes.
import { draw, drawStroke, launch, open, ready, serveFolder, shapes, state, teachNew } from "./support.mjs";

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
const ms = (values) => {
    const sorted = [...values].sort((a, b) => a - b);
    return `median ${at(sorted, 0.5).toFixed(1)} ms, 95th percentile ${at(sorted, 0.95).toFixed(1)} ms, of ${sorted.length}`;
};

const [browser, server] = await Promise.all([launch(), serveFolder()]);
const starts = [];
for (let i = 0; i < 10; i += 1) {
    const { page, context } = await open(browser, server.url);
    starts.push(await page.evaluate(() => performance.getEntriesByName("sprig-ready")[0].startTime));
    await context.close();
}
console.log(`until the demonstration is ready, from an empty cache: ${ms(starts)}`);

const { page } = await open(browser, server.url);
// Ten digits and ten polygons and stars.
const shape = (corners, skip) => [Array.from({ length: corners + 1 }, (_, i) => {
    const angle = (2 * Math.PI * i * skip) / corners;
    return [500 + 350 * Math.sin(angle), 500 - 350 * Math.cos(angle)];
})];
const more = [[3, 1], [4, 1], [5, 2], [6, 1], [7, 2], [7, 3], [8, 3], [9, 4], [9, 2], [11, 4]].map(([corners, skip]) => shape(corners, skip));
for (const [i, strokes] of more.entries()) {
    await draw(page, strokes);
    await teachNew(page, `shape ${i}`);
}
const { classes } = (await state(page)).summary;
if (classes.length !== 20) throw new Error(`there are ${classes.length} classes`);
const asked = [...more, shapes.seven, shapes.three, shapes.star, shapes.house, shapes.arrow];
await page.evaluate(() => performance.clearMeasures());
for (let round = 0; round < 8; round += 1) for (const strokes of asked) await draw(page, strokes);
const answers = await page.evaluate(() => performance.getEntriesByName("sprig-answer").map((entry) => entry.duration));
console.log(`from pen up to the answer on screen, 20 classes: ${ms(answers)}`);

// Strokes that follow at once, as in a drawing of many: the explanation of the last must not stand in the way.
await page.evaluate(() => performance.clearMeasures());
const hatching = Array.from({ length: 12 }, (_, i) => [[200 + 50 * i, 200], [220 + 50 * i, 800]]);
for (let round = 0; round < 8; round += 1) {
    await page.getByRole("button", { name: "Clear" }).click();
    for (const stroke of hatching) await drawStroke(page, stroke);
    await state(page);
}
const quick = await page.evaluate(() => performance.getEntriesByName("sprig-answer").map((entry) => entry.duration));
console.log(`the same for strokes that follow at once: ${ms(quick)}`);
await ready(page);
await browser.close();
server.close();
