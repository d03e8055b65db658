// The main path, as a person would take it: draw, be recognised, teach, be recognised, undo, reload, save, and go on in
// the program.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { anotherHand, draw, launch, open, outFolder, ready, serveFolder, shapes, shownLabel, sprig, state, teachNew } from "./support.mjs";

let browser, server;
before(async () => {
    [browser, server] = await Promise.all([launch(), serveFolder()]);
});
after(async () => {
    await browser?.close();
    server?.close();
});

async function save(page, key) {
    await page.locator("[data-key=model]").click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-key=${key}]`).click()]);
    const file = join(mkdtempSync(join(tmpdir(), "sprig-page-")), download.suggestedFilename());
    await download.saveAs(file);
    await page.keyboard.press("Escape");
    return file;
}

test("draw, teach, undo, reload, save", async () => {
    const { page, problems } = await open(browser, server.url);

    const seven = await draw(page, shapes.seven);
    assert.equal(seven.label, "7");
    assert.equal(await shownLabel(page), "7");
    await page.screenshot({ path: join(outFolder, "digit.png") });

    // A shape that it has never seen: it says so, and one drawing is enough.
    const unknown = await draw(page, shapes.star);
    assert.ok(unknown.known < 0.1, `known ${unknown.known}`);
    await page.getByText("Never seen anything like this.", { exact: true }).waitFor();
    const taught = await teachNew(page, "star");
    assert.equal(taught.answer.label, "star");
    assert.equal(taught.summary.classes.length, 11);
    assert.deepEqual(taught.lessons.map(({ label, effect, newClass }) => [label, effect, newClass]), [["star", "founded", true]]);
    // All ten digits' scores of this drawing were compared before and after.
    assert.deepEqual(taught.comparison, { examples: 1, scores: 10, changed: 0 });
    await page.getByText("10 scores compared, all equal to the last bit").waitFor();
    const again = await draw(page, anotherHand(shapes.star));
    assert.equal(again.label, "star");
    assert.equal(await shownLabel(page), "star");
    // The digits are as before.
    const scores = (answer) => Object.fromEntries(answer.ranking.map(({ label, score }) => [label, score]));
    const { star: added, ...others } = scores(await draw(page, shapes.seven));
    assert.deepEqual(others, scores(seven));
    assert.ok(added < others["7"]);

    // By key: the class with one letter by its own key.
    await page.keyboard.press("7");
    await page.locator(".lesson").nth(1).waitFor();
    await draw(page, shapes.house);
    const three = await teachNew(page, "house");
    assert.equal(three.lessons.length, 3);
    assert.equal(await page.locator(".lesson.right").count(), 3);
    await page.screenshot({ path: join(outFolder, "taught.png") });

    // Back to before the second lesson.
    await page.getByRole("button", { name: /^Undo lesson 2, / }).click();
    await page.locator(".lesson").nth(1).waitFor({ state: "detached" });
    const undone = await state(page);
    assert.equal(undone.summary.digest, taught.summary.digest);
    assert.equal(undone.lessons.length, 1);

    // A reload changes nothing, and the lesson can still be undone.
    await page.reload();
    await ready(page);
    const reloaded = await state(page);
    assert.equal(reloaded.summary.digest, taught.summary.digest);
    assert.equal(reloaded.undoable, 1);
    const star = await draw(page, anotherHand(shapes.star));
    assert.deepEqual(star, again);

    // The program reads the saved model, and gives the same numbers for the saved drawing.
    const shown = await state(page);
    const explained = shown.explained.explanation;
    const [model, drawings] = [await save(page, "save-bytes"), await save(page, "save-strokes")];
    assert.deepEqual(JSON.parse(readFileSync(drawings, "utf8")).label, "star");
    const first = await page.evaluate(() => window.sprig.predict(window.sprig.state().lessons[0].sample));
    const [predicted] = JSON.parse(sprig("predict", model, `strokes:${drawings}`, "--json"));
    assert.equal(predicted.label, first.label);
    for (const key of ["probability", "known", "fit", "margin"]) assert.equal(predicted[key], first[key], key);
    const why = await page.evaluate(() => window.sprig.explain(window.sprig.state().lessons[0].sample));
    const told = JSON.parse(sprig("explain", model, `strokes:${drawings}`, "--json"));
    assert.equal(told.answer, "star");
    assert.deepEqual(why.classes, told.classes);
    assert.deepEqual(why.elements, told.elements);
    assert.equal(explained.answer, "star");

    // What was saved can be opened again, after an empty model.
    await page.locator("[data-key=model]").click();
    await page.locator("[data-key=start-nothing]").click();
    await page.getByText("Draw any shape here").waitFor();
    await page.locator("[data-key=model]").click();
    await page.locator("[data-key=model-file]").setInputFiles(model);
    await page.waitForFunction((digest) => window.sprig.state().summary?.digest === digest, taught.summary.digest);
    assert.equal((await draw(page, anotherHand(shapes.star))).label, "star");
    assert.deepEqual(problems, []);
});
