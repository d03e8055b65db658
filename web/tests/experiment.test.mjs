// The live experiment: computed here and now, by both learners, on the same digits.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { draw, launch, open, outFolder, serveFolder, shapes, state } from "./support.mjs";

let browser, server;
before(async () => {
    [browser, server] = await Promise.all([launch(), serveFolder()]);
});
after(async () => {
    await browser?.close();
    server?.close();
});

const mean = (shares) => {
    const taught = shares.filter((share) => share !== null);
    return taught.reduce((sum, share) => sum + share, 0) / taught.length;
};

test("one class after the other: Sprig keeps what the network forgets", async (context) => {
    const requests = [];
    const { page, problems } = await open(browser, server.url);
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    page.setDefaultTimeout(600_000);
    await page.locator("[data-key=view-experiment]").click();
    assert.ok(!requests.includes("/digits.bin"), "the digits are fetched when they are needed");
    await page.locator("[data-key=go]").click();
    await page.waitForFunction(() => window.sprig.experiment()?.tests.length >= 2);
    assert.ok(requests.includes("/digits.bin"));

    // It pauses, the rest of the page works meanwhile, and it goes on.
    await page.locator("[data-key=go]").click();
    await page.getByRole("button", { name: "Go on" }).waitFor();
    const paused = await page.evaluate(() => window.sprig.experiment().learned);
    await page.locator("[data-key=view-draw]").click();
    assert.equal((await draw(page, shapes.seven)).label, "7");
    assert.equal(await page.evaluate(() => window.sprig.experiment().learned), paused);
    await page.locator("[data-key=view-experiment]").click();
    await page.locator("[data-key=go]").click();
    await page.waitForFunction(() => {
        const progress = window.sprig.experiment();
        return progress.learned === progress.length;
    });
    await page.screenshot({ path: join(outFolder, "experiment.png") });

    const { tests, length } = await page.evaluate(() => window.sprig.experiment());
    assert.equal(tests.at(-1).learned, length);
    assert.equal(tests.at(-1).sprig.length, 10);
    const [sprig, network] = [mean(tests.at(-1).sprig), mean(tests.at(-1).network)];
    context.diagnostic(`after ${length} digits: Sprig ${sprig.toFixed(3)}, network ${network.toFixed(3)}, units ${tests.at(-1).units}`);
    assert.ok(sprig > 0.9, `Sprig ${sprig}`);
    assert.ok(network < sprig - 0.2, `network ${network}`);
    // The first class while it was the only one, and at the end.
    assert.ok(tests[0].network[0] > 0.9 && tests.at(-1).network[0] < 0.5, "the network forgets the first class");
    assert.ok(tests.at(-1).sprig[0] > 0.8, "Sprig keeps it");
    // Units grow, and no test is about a class that was not taught.
    assert.ok(tests.at(-1).units >= 10 && tests[0].units < tests.at(-1).units);
    assert.deepEqual(tests[0].sprig.slice(1), new Array(9).fill(null));
    assert.equal((await state(page)).summary.lessons, 1000, "the model of the page is another one");
    assert.deepEqual(problems, []);
});
