// What a model does and refuses.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Model, SprigError } from "../dist/index.js";
import { arrow, Digits, square, zigzag } from "./support.mjs";

const digits = new Digits();

/** Checks that a call is refused with this kind and sentence, and returns the error. */
function refused(kind, sentence, call) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof SprigError, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, sentence);
    return true;
  });
}

async function taught(options) {
  const model = await Model.create(options);
  model.learn(arrow, "arrow");
  model.learn(zigzag, "zigzag");
  return model;
}

test("a new model knows nothing", async () => {
  const model = await Model.create();
  assert.deepEqual(model.predict(arrow), {
    label: null,
    probability: 0,
    known: null,
    fit: null,
    margin: 0,
    ranking: [],
  });
  assert.equal(model.decide(arrow), null);
  assert.deepEqual(model.units(), []);
  assert.deepEqual(model.summary().classes, []);
  assert.equal(model.explain(arrow).answer, null);
  refused("usage", /nothing|not learned/, () => model.drawing());
});

test("it learns one drawing at a time", async () => {
  const model = await Model.create();
  const first = model.learn(arrow, "arrow");
  assert.equal(first.new_class, true);
  assert.equal(first.events[0].kind, "created");
  const again = model.learn(arrow, "arrow");
  assert.equal(again.new_class, false);
  assert.deepEqual(again.events, [{ kind: "refined", unit: first.events[0].unit }]);
  model.learn(zigzag, "ζ, a label of any letters 🖉");
  const answer = model.predict(zigzag);
  assert.equal(answer.label, "ζ, a label of any letters 🖉");
  assert.equal(answer.ranking.length, 2);
  assert.ok(Math.abs(answer.ranking[0].probability + answer.ranking[1].probability - 1) < 1e-9);
  assert.equal(answer.ranking[0].score - answer.ranking[1].score, answer.margin);
  assert.equal(model.decide(arrow), "arrow");
});

test("it takes images in all forms", async () => {
  const model = await taught();
  const side = 64;
  const grey = new Uint8Array(side * side).fill(255);
  for (let i = 8; i < 56; ++i) for (let d = -2; d <= 2; ++d) grey[32 * side + d * side + i] = 0; // a line
  const asRgba = Uint8ClampedArray.from({ length: 4 * grey.length }, (_, i) => (i % 4 === 3 ? 255 : grey[i >> 2]));
  const forms = [
    { pixels: { width: side, height: side, data: grey } },
    { pixels: { width: side, height: side, channels: 1, data: Array.from(grey) } },
    { pixels: { width: side, height: side, channels: 4, data: asRgba } },
    { picture: Buffer.concat([Buffer.from(`P5 ${side} ${side} 255\n`), grey]) },
  ];
  const answers = forms.map((form) => model.predict(form));
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  const { width, height, pixels } = model.explain(forms[0]).view.image;
  const raw = { pixels: { width, height, data: Buffer.from(pixels, "base64") }, raw: true };
  assert.deepEqual(model.predict(raw), answers[0], "the normalised image, as it is");
});

test("wrong images are refused, and the model is as it was", async () => {
  const model = await taught();
  const before = model.summary();
  const wrong = [
    [{ strokes: [] }, /no points/],
    [{ strokes: [[]] }, /no points/],
    [{ strokes: 5 }, /list of lists/],
    [{ strokes: [5] }, /list of points/],
    [{ strokes: [[[1]]] }, /x and y/],
    [{ strokes: [[["1", "2"]]] }, /numbers/],
    [{ strokes: [[[NaN, 0]]] }, /coordinate/],
    [{ strokes: [[[1e300, 0]]] }, /coordinate/],
    [{ strokes: [Array.from({ length: 20000 }, (_, i) => [i, i])] }, /more than 16384 points/],
    [{ pixels: { width: 0, height: 1, data: [] } }, /"width" of "pixels" must be a whole number/],
    [{ pixels: { width: 2.5, height: 1, data: [] } }, /"width"/],
    [{ pixels: { width: 1, data: [] } }, /"height"/],
    [{ pixels: { width: 16384, height: 16384, data: [] } }, /too large/],
    [{ pixels: { width: 2, height: 2, channels: 2, data: [] } }, /"channels"/],
    [{ pixels: { width: 2, height: 2, channels: 3, data: new Uint8Array(12) }, raw: true }, /one channel/],
    [{ pixels: { width: 2, height: 2, data: [1, 2, 3] } }, /3 values, but 2 x 2 px with 1 channel are 4/],
    [{ pixels: { width: 2, height: 2 } }, /no values/],
    [{ pixels: { width: 9, height: 9, data: new Uint8Array(81) } }, /no ink/],
    [{ picture: new Uint8Array() }, /empty/],
    [{ picture: Buffer.from("\x89PNG") }, /not a PGM or PPM/],
    [{ picture: Buffer.from("P5 9 9 255\n") }, /cut short/],
    [{}, /not an image/],
    [null, /not an image/],
    ["circle.png", /not an image/],
  ];
  for (const [sample, sentence] of wrong) {
    refused("bad_input", sentence, () => model.predict(sample));
    refused("bad_input", sentence, () => model.learn(sample, "arrow"));
  }
  assert.deepEqual(model.summary(), before);
  assert.equal(model.decide(zigzag), "zigzag", "it lives on");
});

test("wrong calls are refused, and the model is as it was", async () => {
  const model = await taught();
  const before = model.summary();
  refused("usage", /no class 'circle'/, () => model.rename("circle", "ring"));
  refused("usage", /already has a class 'zigzag'/, () => model.rename("arrow", "zigzag"));
  refused("usage", /no class 'circle'/, () => model.forget("circle"));
  refused("usage", /no class 'circle'/, () => model.units("circle"));
  refused("usage", /circle/, () => model.explain(arrow, { versus: "circle" }));
  refused("usage", /must not be empty/, () => model.learn(arrow, ""));
  refused("usage", /must not be empty/, () => model.addClass(""));
  refused("usage", /must be a string, not number/, () => model.learn(arrow, 5));
  refused("usage", /must be a string, not undefined/, () => model.forget());
  refused("usage", /3 lessons cannot be undone, only the last 2/, () => model.undo(3));
  refused("usage", /0 lessons/, () => model.undo(0));
  refused("usage", /2 images, but 1 labels/, () => model.learnMany([arrow, arrow], ["arrow"]));
  refused("bad_input", /image 0, after 0 lessons: the drawing has no points/, () =>
    model.learnMany([{ strokes: [] }, arrow], ["arrow", "arrow"]),
  );
  assert.deepEqual(model.summary(), before);
  await assert.rejects(Model.create({ preset: "best" }), /no preset|preset/);
  await assert.rejects(Model.create({ settings: { colour: 1 } }), /colour/);
  await assert.rejects(Model.create({ undo: -1 }), /undo/);
  await assert.rejects(Model.fromBytes(new Uint8Array(5)), /magic/);
  const damaged = model.toBytes();
  damaged[damaged.length >> 1] ^= 1;
  await assert.rejects(Model.fromBytes(damaged), SprigError);
  await assert.rejects(Model.create({ wasm: new URL("file:///missing/sprig.wasm") }), /cannot be loaded from/);
});

test("lessons can be undone to any point", async () => {
  const model = await Model.create();
  const digests = [model.summary().digest];
  for (let i = 0; i < 60; ++i) digests.push(model.learn(digits.sample(i), digits.label(i)).model.digest);
  assert.equal(model.undo().digest, digests[59]);
  assert.equal(model.undo(29).digest, digests[30]);
  assert.equal(model.summary().undoable, 30);
  model.learn(digits.sample(30), digits.label(30));
  assert.equal(model.summary().digest, digests[31], "and learned again");
  assert.equal(model.undo(31).digest, digests[0]);
  refused("usage", /no lesson that can be undone/, () => model.undo());
  const few = await Model.create({ undo: 2 });
  for (const sample of [arrow, zigzag, square]) few.learn(sample, "x");
  assert.equal(few.summary().undoable, 2);
});

test("classes are added, renamed and forgotten", async () => {
  const model = await taught();
  assert.deepEqual(model.addClass("later").classes[2], { label: "later", samples: 0, units: 0 });
  assert.equal(model.rename("arrow", "pointer").classes[0].label, "pointer");
  assert.equal(model.decide(arrow), "pointer");
  assert.deepEqual(
    model.forget("zigzag").classes.map((one) => one.label),
    ["pointer", "later"],
  );
});

test("units, events and drawings", async () => {
  const model = await taught();
  const units = model.units();
  assert.deepEqual(
    units.map((unit) => [unit.label, unit.samples]),
    [
      ["arrow", 1],
      ["zigzag", 1],
    ],
  );
  assert.deepEqual(model.units("zigzag"), [units[1]]);
  for (const unit of units) assert.match(unit.svg, /^<svg [^]*<\/svg>\n$/);
  assert.match(model.drawing(), /of zigzag[^]*<\/svg>\n$/);
  assert.deepEqual(
    model.events().map(({ lesson, kind, label }) => [lesson, kind, label]),
    [
      [1, "created", "arrow"],
      [2, "created", "zigzag"],
    ],
  );
});

test("explanations say where things are", async () => {
  const model = await taught();
  const why = model.explain(square, { versus: "zigzag", svg: true });
  assert.equal(why.compared_with === "zigzag" || why.answer === "zigzag", true);
  assert.ok(why.text.length >= 2);
  assert.match(why.svg, /^<svg /);
  // The nodes of the network lie near the strokes.
  const [a, b, c, d, e, f] = why.view.to_image;
  const [scale, , , , left, top] = why.view.to_drawing;
  for (const { at } of why.network.nodes) {
    const x = (a * at[0] + c * at[1] + e) * scale + left;
    const y = (b * at[0] + d * at[1] + f) * scale + top;
    const near = [10, 90].some((edge) => Math.abs(x - edge) < 8 || Math.abs(y - edge) < 8);
    assert.ok(near && x > 0 && x < 100 && y > 0 && y < 100, `${x}, ${y}`);
  }
});

test("a closed model refuses everything", async () => {
  const model = await taught();
  const other = await taught();
  model.close();
  model.close();
  for (const call of [
    () => model.predict(arrow),
    () => model.learn(arrow, "arrow"),
    () => model.summary(),
    () => model.toBytes(),
    () => model.undo(),
    () => model.units(),
    () => model.memory,
  ])
    refused("usage", /the model was closed/, call);
  assert.equal(other.decide(arrow), "arrow", "others live on");
});

test("numbers in settings are read as in the program", async () => {
  const bytesWith = async (value) => {
    const model = await Model.create({ settings: { join_threshold: value } });
    return Buffer.from(model.toBytes()).toString("base64");
  };
  for (const [text, number] of [["1e3", 1000], ["0.0125E5", 1250], ["-.25", -0.25], ["7.", 7], ["0.1", 0.1]])
    assert.equal(await bytesWith(text), await bytesWith(number), text);
  for (const text of ["", ".", "-", "+1", " 1", "1 ", "1e", "1,5", "0x10", "1e400", "i", "infinit"])
    await assert.rejects(
      bytesWith(text),
      { kind: "usage", message: `join_threshold=${text} is invalid: join_threshold must be a number` },
      text,
    );
});

test("free pose, presets and settings", async () => {
  const model = await taught({ freePose: true });
  assert.equal(model.summary().free_pose, true);
  const turned = { strokes: arrow.strokes.map((stroke) => stroke.map(([x, y]) => [-y, x])) };
  assert.equal(model.decide(turned), "arrow");
  const apart = await taught({ preset: "fast", settings: { join_threshold: 1000 } });
  assert.equal(apart.learn(arrow, "arrow").model.classes[0].units, 2, "nothing joins");
  const joined = await taught({ preset: "fast" });
  assert.equal(joined.learn(arrow, "arrow").model.classes[0].units, 1);
  assert.equal(joined.summary().preset, "fast");
});

test("the module can be given as bytes, compiled, or as an address", async () => {
  const url = new URL("../dist/sprig.wasm", import.meta.url);
  const bytes = readFileSync(url);
  for (const wasm of [bytes, new WebAssembly.Module(bytes), url, url.href])
    assert.equal((await taught({ wasm })).decide(arrow), "arrow");
});

test("memory does not grow with predictions", async () => {
  const model = await Model.create({ preset: "fast" });
  model.learnMany(digits.samples(0, 300), digits.labels(0, 300));
  for (let i = 0; i < 100; ++i) model.predict(digits.sample(i));
  const before = model.memory;
  for (let i = 0; i < 10_000; ++i) model.predict(digits.sample(300 + (i % 1000)));
  assert.equal(model.memory, before);
});

test("memory grows where it must, and errors of memory are errors", async () => {
  const model = await taught();
  const before = model.memory;
  const side = 2000;
  const data = new Uint8Array(side * side).fill(255);
  for (let i = 200; i < 1800; ++i) data.fill(0, 1000 * side + i, 1000 * side + i + 1);
  for (let y = 900; y < 1100; ++y) data.fill(0, y * side + 200, y * side + 1800);
  assert.ok(model.predict({ pixels: { width: side, height: side, data } }).label);
  assert.ok(model.memory > before);
  assert.equal(model.decide(zigzag), "zigzag");
});
