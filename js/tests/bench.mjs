// Compares the speed of the package with that of the native library, and prints its size. Both do the same work by turns
// in this run, and processor time is measured, so that a busy machine changes little; the ratio of a round is the cost of one call here divided by the cost
// there, and the table has the median of all rounds.
//   node tests/bench.mjs [ROUNDS]
import { Model } from "../dist/index.js";
import { Digits, gzippedSizes, Native } from "./support.mjs";

const rounds = Number(process.argv[2] ?? 15);
const perRound = 200;
const digits = new Digits();
const native = new Native();

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

/** The processor time of each of `count` things that an action does, in microseconds. */
function timed(count, action) {
  const begin = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / count;
}

async function compare(preset) {
  const model = await Model.create({ preset });
  await native.ask("new", preset);
  const work = ["lesson", "lesson with its report", "decision", "prediction"];
  const here = Object.fromEntries(work.map((name) => [name, []]));
  const there = structuredClone(here);
  for (let round = -3; round < rounds; ++round) {
    // The first rounds warm up both; what they learn is kept.
    const [from, middle, to] = [0, 1, 2].map((part) => (2 * (round + 3) + part) * perRound);
    const [first, second] = [digits.samples(from, middle), digits.samples(middle, to)];
    const [firstLabels, secondLabels] = [digits.labels(from, middle), digits.labels(middle, to)];
    const results = {
      lesson: [timed(perRound, () => model.learnMany(first, firstLabels)), await native.ask("learn", from, middle)],
      "lesson with its report": [
        timed(perRound, () => second.forEach((sample, i) => model.learn(sample, secondLabels[i]))),
        await native.ask("report", middle, to),
      ],
      decision: [
        timed(perRound, () => first.forEach((sample) => model.decide(sample))),
        await native.ask("decide", from, middle),
      ],
      prediction: [timed(perRound, () => model.predictMany(second)), await native.ask("predict", middle, to)],
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
      `${preset.padEnd(10)}${name.padEnd(24)}${median(here[name]).toFixed(1).padStart(10)}` +
        `${median(there[name]).toFixed(1).padStart(10)}${ratio.toFixed(2).padStart(8)}`,
    );
  }
  model.close();
}

console.log(`${"microseconds".padEnd(34)}JavaScript    native   ratio`);
for (const preset of ["default", "fast"]) await compare(preset);
native.close();

console.log(`\n${gzippedSizes().text}`);
