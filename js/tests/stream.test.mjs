// The package gives what the native library gives: the same stream of digits, learned by both, leads to the same digest,
// bytes form and answers.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { Model } from "../dist/index.js";
import { arrow, Digits, Native, square } from "./support.mjs";

const digits = new Digits();
const native = new Native();
after(() => native.close());

const lessons = 400;
const questions = 100;

for (const preset of ["default", "fast"]) {
  test(`a stream of digits, preset ${preset}`, async () => {
    const model = await Model.create({ preset });
    const empty = await native.ask("new", preset);
    // `undoable` is less in the program, which keeps 20 lessons.
    assert.deepEqual(model.summary(), empty);
    const { summary } = await native.ask("learn", 0, lessons);
    assert.deepEqual(model.learnMany(digits.samples(0, lessons), digits.labels(0, lessons)), {
      ...summary,
      undoable: lessons,
    });
    const asked = digits.samples(lessons, lessons + questions);
    const { results: answers } = await native.ask("predict", lessons, lessons + questions);
    assert.deepEqual(model.predictMany(asked), answers, "bit for bit");
    assert.deepEqual(
      asked.map((sample) => model.decide(sample)),
      answers.map((answer) => answer.label),
    );
    const right = answers.filter((answer, i) => answer.label === digits.label(lessons + i)).length;
    assert.ok(right > 0.85 * questions, `${right} of ${questions} are right`);
    assert.equal(Buffer.from(model.toBytes()).toString("base64"), await native.ask("bytes"));
    for (const image of [lessons, lessons + 1])
      assert.deepEqual(model.explain(digits.sample(image), { svg: true }), await native.ask("explain", image));
    model.close();
  });
}

test("strokes, normalised in both", async () => {
  const model = await Model.create();
  await native.ask("new", "default");
  for (const sample of [arrow, square]) {
    const expected = await native.ask("strokes", JSON.stringify(sample));
    model.learn(sample, "drawing");
    assert.deepEqual(model.predict(sample), expected);
  }
  const bytes = Buffer.from(model.toBytes()).toString("base64");
  assert.equal((await native.ask("read", bytes)).digest, model.summary().digest);
});

test("a model of the program continues here", async () => {
  await native.ask("new", "default");
  await native.ask("learn", 0, 100);
  const model = await Model.fromBytes(Buffer.from(await native.ask("bytes"), "base64"));
  model.learnMany(digits.samples(100, 150), digits.labels(100, 150));
  const { summary } = await native.ask("learn", 100, 150);
  assert.equal(model.summary().digest, summary.digest);
  // The bytes form has the classes in alphabetical order.
  const inOrder = (classes) => [...classes].sort((a, b) => (a.label < b.label ? -1 : 1));
  assert.deepEqual(inOrder(model.summary().classes), inOrder(summary.classes));
});
