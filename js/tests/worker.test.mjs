// A model in a worker is the same model.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Model, SprigError, WorkerModel } from "../dist/index.js";
import { arrow, Digits, square, zigzag } from "./support.mjs";

const digits = new Digits();

test("a worker does what a model does", async () => {
  const here = await Model.create();
  const there = await WorkerModel.create();
  assert.deepEqual(await there.learn(arrow, "arrow"), here.learn(arrow, "arrow"));
  assert.deepEqual(await there.learnMany([zigzag, square], ["z", "s"]), here.learnMany([zigzag, square], ["z", "s"]));
  assert.deepEqual(await there.predict(arrow), here.predict(arrow));
  assert.deepEqual(await there.predictMany([arrow, square]), here.predictMany([arrow, square]));
  assert.equal(await there.decide(square), "s");
  assert.deepEqual(await there.explain(arrow, { versus: "z" }), here.explain(arrow, { versus: "z" }));
  assert.deepEqual(await there.units("z"), here.units("z"));
  assert.deepEqual(await there.events(), here.events());
  assert.equal(await there.drawing(), here.drawing());
  assert.deepEqual(await there.undo(), here.undo());
  assert.deepEqual(await there.rename("z", "zigzag"), here.rename("z", "zigzag"));
  assert.deepEqual(await there.addClass("later"), here.addClass("later"));
  assert.deepEqual(await there.forget("later"), here.forget("later"));
  assert.deepEqual(await there.summary(), here.summary());
  const bytes = await there.toBytes();
  assert.deepEqual(Buffer.from(bytes), Buffer.from(here.toBytes()));
  const copy = await WorkerModel.fromBytes(bytes);
  assert.equal((await copy.summary()).digest, here.summary().digest);
  await Promise.all([there.close(), copy.close()]);
});

test("questions are answered in order", async () => {
  const model = await WorkerModel.create({ preset: "fast" });
  const lessons = digits.samples(0, 20).map((sample, i) => model.learn(sample, digits.label(i)));
  const summary = model.summary();
  assert.equal((await summary).lessons, 20);
  assert.equal((await lessons[19]).model.lessons, 20);
  await model.close();
});

test("errors come back as they are, and the worker lives on", async () => {
  const model = await WorkerModel.create();
  await model.learn(arrow, "arrow");
  const isRefusal = (kind, sentence) => (error) =>
    error instanceof SprigError && error.kind === kind && sentence.test(error.message);
  await assert.rejects(model.predict({ strokes: [] }), isRefusal("bad_input", /no points/));
  await assert.rejects(model.forget("circle"), isRefusal("usage", /no class 'circle'/));
  await assert.rejects(model.predict({ picture: new Blob(["\x89PNG"]) }), isRefusal("usage", /decoded by the browser/));
  await assert.rejects(model.predict({ strokes: [[() => 5]] }), isRefusal("bad_input", /cannot be sent/));
  assert.equal(await model.decide(arrow), "arrow");
  const waiting = model.predict(arrow);
  const closed = model.close();
  await assert.rejects(waiting, isRefusal("usage", /was closed/));
  await closed;
  await assert.rejects(model.summary(), isRefusal("usage", /was closed/));
  await model.close();
});

test("a worker that cannot start is an error", async () => {
  await assert.rejects(WorkerModel.create({ worker: new URL("file:///missing/worker.js") }), SprigError);
  await assert.rejects(WorkerModel.create({ preset: "best" }), /preset/);
});

test("a compiled module is shared with the worker", async () => {
  const wasm = new WebAssembly.Module(readFileSync(new URL("../dist/sprig.wasm", import.meta.url)));
  const model = await WorkerModel.create({ wasm, worker: new URL("../dist/worker.js", import.meta.url) });
  assert.equal((await model.learn({ picture: new Blob(["P2 9 9 255\n" + "255 ".repeat(36) + "0 ".repeat(9) + "255 ".repeat(36)]) }, "dash")).label, "dash");
  await model.close();
});
