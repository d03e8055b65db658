// What is drawn over the drawing, and what is said about it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { draw, launch, open, outFolder, serveFolder, shapes, state, teachNew } from "./support.mjs";

let browser, server;
before(async () => {
    [browser, server] = await Promise.all([launch(), serveFolder()]);
});
after(async () => {
    await browser?.close();
    server?.close();
});

/** The distance from a point to the nearest point of some strokes. */
function distance([x, y], strokes) {
    let least = Infinity;
    for (const stroke of strokes) {
        for (let i = 0; i + 1 < stroke.length; i += 1) {
            const [[ax, ay], [bx, by]] = [stroke[i], stroke[i + 1]];
            const along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / Math.max(1e-9, (bx - ax) ** 2 + (by - ay) ** 2);
            const t = Math.min(1, Math.max(0, along));
            least = Math.min(least, Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)));
        }
    }
    return least;
}

test("the network lies on the drawing, and each layer can be hidden", async () => {
    const { page } = await open(browser, server.url);
    await draw(page, shapes.three);
    const { explained, drawing } = await state(page);
    const circles = await page.locator(".overlay .network circle").evaluateAll((all) =>
        all.map((one) => [Number(one.getAttribute("cx")), Number(one.getAttribute("cy"))]));
    assert.equal(circles.length, explained.explanation.network.nodes.length);
    // Every node is on the edge of a stroke, whose pen is a few hundredths of the drawing wide.
    for (const point of circles) assert.ok(distance(point, drawing.strokes) < 60, `${point} is off the drawing`);
    for (const [layer, text] of [["network", "Network"], ["matched", "Found"], ["missing", "Missing"], ["change", "Change"], ["decisive", "Decides"]]) {
        const button = page.getByRole("button", { name: text, exact: true });
        await page.locator(`.overlay .${layer}`).waitFor({ state: "attached" });
        await button.click();
        await page.locator(`.overlay .${layer}`).waitFor({ state: "detached" });
        assert.equal(await button.getAttribute("aria-pressed"), "false");
        await button.click();
    }
    const matched = explained.explanation.units["3"][0].nodes.filter((node) => node.placed !== null);
    assert.equal(await page.locator(".overlay .matched circle").count(), matched.length);
});

test("any class can be set against the answer", async () => {
    const { page } = await open(browser, server.url);
    await draw(page, shapes.seven);
    const first = (await state(page)).explained.explanation;
    assert.equal(first.answer, "7");
    await page.getByRole("button", { name: /more classes/ }).click();
    const other = ["0", "6", "8"].find((label) => label !== first.compared_with);
    await page.locator(`[data-key="rank-${other}"]`).click();
    await page.waitForFunction((label) => window.sprig.state().explained?.explanation.compared_with === label, other);
    assert.equal(await page.locator(`[data-key="rank-${other}"]`).getAttribute("aria-pressed"), "true");
    await page.locator(".why-panel", { hasText: `“${other}”` }).waitFor();
});

test("what would change the answer is drawn as a ghost stroke", async () => {
    const { page } = await open(browser, server.url);
    // A one with a small bar is nearly a seven, and so on: of these, most have a change that is found.
    const drawings = [shapes.house, shapes.three, [[[360, 330], [560, 180], [540, 830]]], [[[300, 200], [700, 200], [520, 520], [460, 840]], [[380, 520], [640, 520]]]];
    let found = 0;
    for (const [number, strokes] of drawings.entries()) {
        await draw(page, strokes);
        const { explained, drawing } = await state(page);
        const { change, compared_with: other } = explained.explanation;
        assert.equal(change.to, other);
        const ghosts = page.locator(".overlay .change polyline");
        await page.screenshot({ path: join(outFolder, `ghost-${number}.png`) });
        if (!change.found) {
            assert.equal(await ghosts.count(), 0);
            await page.locator(".why-panel", { hasText: `at least ${change.at_least}` }).waitFor();
            continue;
        }
        found += 1;
        assert.equal(await ghosts.count(), change.added.length);
        await page.locator(".why-panel", { hasText: `the answer would be “${other}”` }).waitFor();
        // A ghost is near the drawing and has some length.
        const points = (await ghosts.first().getAttribute("points")).split(" ").map(Number);
        assert.ok(points.length >= 6);
        assert.ok(distance([points[0], points[1]], drawing.strokes) < 500);
    }
    assert.ok(found >= 2, `only ${found} changes were found`);
});
