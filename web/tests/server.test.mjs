// The same page on a model file: served by `sprig serve`, which is restarted in between.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { anotherHand, draw, launch, open, outFolder, program, ready, shapes, shownLabel, sprig, state, teachNew } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "sprig-page-"));
const model = join(folder, "shapes.sprig");
let browser;
let running = null;

async function serve(port = 0, environment = {}) {
    const child = spawn(program, ["serve", model, "--port", String(port)], {
        stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...environment },
    });
    const stopped = new Promise((resolve) => child.on("exit", resolve));
    const url = await new Promise((resolve, reject) => {
        let said = "";
        const listen = (chunk) => {
            said += chunk;
            const found = /http:\/\/[^\s/]+/.exec(said);
            if (found) resolve(`${found[0]}/`);
        };
        child.stdout.on("data", listen);
        child.stderr.on("data", listen);
        child.on("exit", (code) => reject(new Error(`sprig serve ended with ${code}: ${said}`)));
    });
    running = { url, port: Number(new URL(url).port), async stop() {
        child.kill("SIGTERM");
        await stopped;
        running = null;
    } };
    return running;
}
before(async () => {
    browser = await launch();
});
after(async () => {
    await browser?.close();
    await running?.stop();
});

test("draw, teach, undo on the server; restarted; the program gives the same answer", async () => {
    const first = await serve();
    const { page, problems } = await open(browser, first.url);
    assert.equal((await state(page)).onServer, true);
    await page.getByText("Draw any shape here").waitFor();
    for (const name of ["star", "house", "arrow"]) {
        await draw(page, shapes[name]);
        await teachNew(page, name);
    }
    const taught = await state(page);
    assert.deepEqual(taught.lessons.map(({ effect }) => effect), ["founded", "founded", "founded"]);
    assert.equal(taught.comparison.changed, 0);
    assert.ok(taught.comparison.scores >= 4);
    const star = await draw(page, anotherHand(shapes.star));
    assert.equal(star.label, "star");
    await page.screenshot({ path: join(outFolder, "server.png") });

    // Somebody else teaches: the page follows.
    const strokes = shapes.seven;
    await fetch(`${first.url}api/learn`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ strokes, label: "seven" }) });
    await page.locator("[data-key=teach-seven]").waitFor();
    await fetch(`${first.url}api/undo`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
    await page.locator("[data-key=teach-seven]").waitFor({ state: "detached" });

    // The last lesson is undone in the page.
    await page.getByRole("button", { name: /^Undo lesson 3, / }).click();
    await page.locator(".lesson").nth(2).waitFor({ state: "detached" });
    const undone = await state(page);
    assert.equal(undone.summary.classes.length, 2);

    // While the server is away, the page says so.
    await first.stop();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.locator(".surface").click({ position: { x: 100, y: 100 } });
    await page.locator(".notice.error", { hasText: "The server does not answer" }).waitFor();

    const second = await serve(first.port);
    await page.reload();
    await ready(page);
    const again = await state(page);
    assert.equal(again.summary.digest, undone.summary.digest);
    const drawn = anotherHand(shapes.star);
    const answer = await draw(page, drawn);
    assert.equal(answer.label, "star");
    assert.equal(await shownLabel(page), "star");

    // The program reads the file: the same answer to the same strokes.
    const { drawing, explained } = await state(page);
    const file = join(folder, "drawing.jsonl");
    writeFileSync(file, `${JSON.stringify({ strokes: drawing.strokes })}\n`);
    await second.stop();
    const [predicted] = JSON.parse(sprig("predict", model, `strokes:${file}`, "--json"));
    assert.equal(predicted.label, answer.label);
    for (const key of ["probability", "known", "fit", "margin"]) assert.equal(predicted[key], answer[key], key);
    const told = JSON.parse(sprig("explain", model, `strokes:${file}`, "--json"));
    assert.deepEqual(explained.explanation.classes, told.classes);
    assert.deepEqual(explained.explanation.elements, told.elements);
    const expected = problems.filter((problem) => !/ERR_CONNECTION_REFUSED|Failed to load resource|ERR_INCOMPLETE|ERR_EMPTY/.test(problem));
    assert.deepEqual(expected, []);
});

test("a server with a token: the page has it after the #", async () => {
    const token = "a-token-of-24-characters";
    const { url, stop } = await serve(0, { SPRIG_TOKEN: token });
    const { page } = await open(browser, `${url}#token=${token}`);
    assert.equal((await state(page)).onServer, true);
    const changes = (await state(page)).summary.lessons;
    await draw(page, shapes.arrow);
    const taught = await teachNew(page, "arrow");
    assert.equal(taught.summary.lessons, changes + 1);
    // Changes by others arrive too, although an event source cannot send a header.
    await fetch(`${url}api/undo`, { method: "POST", headers: { "content-type": "application/json", authorization: `Bearer ${token}` }, body: "{}" });
    await page.waitForFunction((lessons) => window.sprig.state().summary.lessons === lessons, changes);
    await page.close();
    const refused = await fetch(`${url}api/model`);
    assert.equal(refused.status, 401);
    await stop();
});
