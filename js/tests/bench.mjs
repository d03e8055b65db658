// Compares the speed of the package with that of the native library, and prints its size. Both do the same work by turns
// in this run, so that a busy machine slows both; the ratio of a round is the cost of one call here divided by the cost
// there, and the table has the median of all rounds.
//   node tests/bench.mjs [ROUNDS]
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

import { Model } from "../dist/index.js";
import { Digits, Native } from "./support.mjs";

const rounds = Number(process.argv[2] ?? 15);
const perRound = 200;
const digits = new Digits();
const native = new Native();

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}

/** The time of a call in microseconds. */
function timed(samples, call) {
  const begin = performance.now();
  samples.forEach(call);
  return (1000 * (performance.now() - begin)) / samples.length;
}

async function compare(preset) {
  const model = await Model.create({ preset });
  await native.ask("new", preset);
  const here = { lesson: [], decision: [], prediction: [] };
  const there = { lesson: [], decision: [], prediction: [] };
  for (let round = -3; round < rounds; ++round) {
    // The first rounds warm up both; what they learn is kept.
    const from = (round + 3) * perRound;
    const [to, end] = [from + perRound, from + 2 * perRound];
    const lessons = digits.samples(from, to);
    const questions = digits.samples(to, end);
    const results = {
      lesson: [timed(lessons, (s, i) => model.learn(s, digits.label(from + i))), await native.ask("learn", from, to)],
      decision: [timed(questions, (s) => model.decide(s)), await native.ask("decide", to, end)],
      prediction: [timed(questions, (s) => model.predict(s)), await native.ask("predict", to, end)],
    };
    if (round < 0) continue;
    for (const [name, [mine, reply]] of Object.entries(results)) {
      here[name].push(mine);
      there[name].push(reply.ns / 1000);
    }
  }
  const same = model.summary().digest === (await native.ask("learn", 0, 0)).summary.digest;
  if (!same) throw new Error("the models differ");
  for (const name of Object.keys(here)) {
    const ratio = median(here[name].map((time, i) => time / there[name][i]));
    console.log(
      `${preset.padEnd(10)}${name.padEnd(13)}${median(here[name]).toFixed(1).padStart(10)}` +
        `${median(there[name]).toFixed(1).padStart(10)}${ratio.toFixed(2).padStart(8)}`,
    );
  }
  model.close();
}

console.log(`microseconds  ${" ".repeat(9)}JavaScript    native   ratio`);
for (const preset of ["default", "fast"]) await compare(preset);
native.close();

const size = (name) => gzipSync(readFileSync(new URL(`../dist/${name}`, import.meta.url)), { level: 9 }).length;
const [wasm, index, worker] = ["sprig.wasm", "index.js", "worker.js"].map(size);
console.log(`\nbytes, gzipped: sprig.wasm ${wasm}, index.js ${index}, worker.js ${worker}, in all ${wasm + index + worker}`);
