// For everybody: no serious finding of axe-core, by keyboard alone, on a narrow screen, and without any other machine.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { draw, launch, open, outFolder, root, serveFolder, shapes, shownLabel, state, teachNew } from "./support.mjs";

let browser, server;
before(async () => {
    [browser, server] = await Promise.all([launch(), serveFolder()]);
});
after(async () => {
    await browser?.close();
    server?.close();
});

const axe = readFileSync(join(root, "web/node_modules/axe-core/axe.min.js"), "utf8");

async function findings(page) {
    // By the debugger, because the page's own rules let no foreign script in.
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document));
    return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}

for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 390]) {
        test(`no serious finding: ${colorScheme}, ${width} px`, async () => {
            const { page, context } = await open(browser, server.url, { colorScheme, viewport: { width, height: 844 } });
            const scrolls = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
            assert.deepEqual(await findings(page), [], "empty");
            await draw(page, shapes.star);
            assert.deepEqual(await findings(page), [], "never seen");
            await teachNew(page, "star");
            await draw(page, shapes.three);
            assert.deepEqual(await findings(page), [], "taught");
            assert.equal(await scrolls(), false);
            await page.screenshot({ path: join(outFolder, `draw-${colorScheme}-${width}.png`), fullPage: true });
            await page.locator("[data-key=model]").click();
            assert.deepEqual(await findings(page), [], "model");
            await page.screenshot({ path: join(outFolder, `model-${colorScheme}-${width}.png`) });
            await page.keyboard.press("Escape");
            await page.locator("[data-key=view-gallery]").click();
            await page.locator(".class-card").nth(10).waitFor();
            assert.deepEqual(await findings(page), [], "gallery");
            assert.equal(await scrolls(), false);
            await page.screenshot({ path: join(outFolder, `gallery-${colorScheme}-${width}.png`), fullPage: true });
            await page.locator("[data-key=view-experiment]").click();
            assert.deepEqual(await findings(page), [], "experiment");
            assert.equal(await scrolls(), false);
            await context.close();
        });
    }
}

test("by keyboard alone: draw, teach, correct, undo", async () => {
    const { page, problems } = await open(browser, server.url);
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    for (let i = 0; i < 20 && (await focused()) !== "Drawing board"; i += 1) await page.keyboard.press("Tab");
    assert.equal(await focused(), "Drawing board");
    const press = async (key, times) => {
        for (let i = 0; i < times; i += 1) await page.keyboard.press(key);
    };
    // A one, from the top to the bottom.
    await press("ArrowUp", 15);
    await press("Space", 1);
    await press("Shift+ArrowDown", 8);
    await press("Space", 1);
    const { answer, drawing } = await state(page);
    assert.equal(drawing.strokes.length, 1);
    assert.equal(answer.label, "1");
    // A second stroke is drawn and taken back.
    await press("Space", 1);
    await press("ArrowRight", 5);
    await press("Space", 1);
    assert.equal((await state(page)).drawing.strokes.length, 2);
    await page.keyboard.press("Backspace");
    assert.equal((await state(page)).drawing.strokes.length, 1);
    // A new class by its name.
    await page.keyboard.press("+");
    await page.keyboard.type("post");
    await page.keyboard.press("Enter");
    await page.locator(".lesson").first().waitFor();
    assert.equal((await state(page)).summary.classes.at(-1).label, "post");
    // The answer is confirmed with Enter on the page.
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("Enter");
    await page.locator(".lesson").nth(1).waitFor();
    await page.keyboard.press("Control+z");
    await page.locator(".lesson").nth(1).waitFor({ state: "detached" });
    // One of several classes, by its own key.
    await page.keyboard.press("1");
    await page.locator(".lesson").nth(1).waitFor();
    assert.equal((await state(page)).lessons[1].label, "1");
    await page.keyboard.press("Escape");
    assert.equal((await state(page)).drawing.strokes.length, 0);
    assert.deepEqual(problems, []);
});

test("with a finger: it draws, the page does not scroll, and a second finger does nothing", async () => {
    const { page, context } = await open(browser, server.url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const box = await page.locator(".surface").boundingBox();
    const point = (x, y, id = 0) => ({ x: box.x + x * box.width, y: box.y + y * box.height, id });
    const client = await context.newCDPSession(page);
    const touch = (type, ...touchPoints) => client.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", point(0.5, 0.15));
    for (let y = 0.15; y < 0.5; y += 0.05) await touch("touchMove", point(0.5, y));
    await touch("touchStart", point(0.5, 0.5), point(0.8, 0.3, 1));
    for (let y = 0.5; y < 0.9; y += 0.05) await touch("touchMove", point(0.5, y), point(0.8, y, 1));
    await touch("touchEnd");
    const { drawing, answer } = await state(page);
    assert.equal(drawing.strokes.length, 1);
    assert.ok(drawing.strokes[0].every(([x]) => Math.abs(x - 500) < 20), "the second finger drew");
    assert.ok(drawing.strokes[0].at(-1)[1] > 800);
    assert.equal(answer.label, "1");
    assert.equal(await page.evaluate(() => scrollY), 0);
    await context.close();
});

test("no request to another origin, and none at all once it runs", async () => {
    const context = await browser.newContext();
    const requests = [];
    context.on("request", (request) => requests.push(request.url()));
    const { page } = await open(browser, server.url, { context });
    await page.waitForTimeout(200);
    const foreign = requests.filter((url) => !url.startsWith(server.url) && !/^(data|blob):/.test(url));
    assert.deepEqual(foreign, []);
    assert.ok(requests.length >= 5, `only ${requests.length} requests were seen`);
    await context.setOffline(true);
    await draw(page, shapes.star);
    const { answer } = await teachNew(page, "star");
    assert.equal(answer.label, "star");
    await page.locator("[data-key=view-gallery]").click();
    await page.locator(".class-card").nth(10).waitFor();
    assert.match(await page.locator("meta[http-equiv]").getAttribute("content"), /default-src 'self'/);
    // The page's own rules forbid what it does not need.
    const blocked = await page.evaluate(() => fetch("http://127.0.0.1:9/").then(() => "sent", () => "refused"));
    assert.equal(blocked, "refused");
    await context.close();
});

test("an unusable file and an unusable picture are refused in words, and the page lives on", async () => {
    const { page } = await open(browser, server.url);
    const before = (await state(page)).summary.digest;
    await page.locator("[data-key=model]").click();
    await page.locator("[data-key=model-file]").setInputFiles({ name: "no.bytes", mimeType: "application/octet-stream", buffer: Buffer.from("no model") });
    await page.locator(".notice.error", { hasText: "no.bytes cannot be opened" }).waitFor();
    await page.locator(".board-panel input[type=file]").setInputFiles({ name: "no.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
    await page.locator(".notice.error", { hasText: "not a picture" }).waitFor();
    assert.equal((await state(page)).summary.digest, before);
    assert.equal((await draw(page, shapes.seven)).label, "7");
    assert.equal(await shownLabel(page), "7");
});

test("labels and files cannot become markup", async () => {
    const { page, problems } = await open(browser, server.url);
    await draw(page, shapes.star);
    const name = `<img src=x onerror="window.bad=1">`;
    await teachNew(page, name);
    assert.equal(await shownLabel(page), name);
    await page.locator("[data-key=view-gallery]").click();
    await page.locator(".class-card").nth(10).waitFor();
    assert.equal(await page.evaluate(() => window.bad), undefined);
    assert.deepEqual(problems, []);
});
