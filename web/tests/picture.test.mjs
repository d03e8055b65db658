// Pictures: chosen, pasted and dropped.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { launch, open, outFolder, root, serveFolder, state } from "./support.mjs";

let browser, server;
before(async () => {
    [browser, server] = await Promise.all([launch(), serveFolder()]);
});
after(async () => {
    await browser?.close();
    server?.close();
});

const picture = (name) => readFileSync(join(root, "examples", name));

/** Gives the page a file as a paste or a drop would. */
async function give(page, kind, bytes) {
    await page.evaluate(async ([type, base64]) => {
        const file = new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], "a.png", { type: "image/png" });
        const transfer = new DataTransfer();
        transfer.items.add(file);
        const event = type === "paste" ? new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true })
            : new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
        document.body.dispatchEvent(event);
    }, [kind, bytes.toString("base64")]);
    await page.waitForFunction(() => window.sprig.state().drawing.picture !== null);
    return state(page);
}

test("pictures are chosen, pasted and dropped, taught and recognised", async () => {
    const { page, problems } = await open(browser, server.url);
    await page.locator("[data-key=model]").click();
    await page.locator("[data-key=start-nothing]").click();
    await page.getByText("Draw any shape here").waitFor();

    for (const shape of ["house", "star", "circle", "arrow"]) {
        await page.locator(".board-panel input[type=file]").setInputFiles(join(root, "examples/shapes", shape, "1.png"));
        await page.waitForFunction(() => window.sprig.state().drawing.picture !== null && window.sprig.state().answer !== null);
        await page.getByRole("textbox", { name: "Name of the class" }).fill(shape);
        await page.getByRole("button", { name: "Teach", exact: true }).click();
        await page.locator(".next", { hasText: `Taught as “${shape}”` }).waitFor();
        await page.getByRole("button", { name: "Clear" }).click();
    }
    assert.equal((await state(page)).lessons.length, 4);
    assert.equal(await page.locator("img.thumbnail").count(), 4);

    const pasted = await give(page, "paste", picture("new/house.png"));
    assert.equal(pasted.answer.label, "house");
    await page.locator("image.read").waitFor(); // the board shows what the model reads
    await page.screenshot({ path: join(outFolder, "picture.png") });
    await page.getByRole("button", { name: "Clear" }).click();
    const dropped = await give(page, "drop", picture("new/star.png"));
    assert.equal(dropped.answer.label, "star");

    // Pictures survive a reload too.
    const { digest } = dropped.summary;
    await page.reload();
    await page.waitForFunction(() => document.body.dataset.phase === "ready");
    const again = await state(page);
    assert.equal(again.summary.digest, digest);
    assert.equal(await page.locator(".lesson.right").count(), 4);
    assert.deepEqual(problems, []);
});
