// The parts of the page that know no browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { apply, compose, fitInto, identity } from "../../src/board/affine";
import { expectedHere } from "../../src/board/overlay";
import type { Answer, Engine, ExplainedUnit, Label, Lesson, Sample, Summary } from "../../src/engine/types";
import { arrange, parseDigits, split } from "../../src/experiment/digits";
import { accuracy } from "../../src/experiment/experiment";
import { Network } from "../../src/experiment/network";
import { classKeys } from "../../src/panels/teach_panel";
import { compare } from "../../src/sitting/compare";
import { effectOf, Sitting } from "../../src/sitting/sitting";
import { type Base, forgiving, newBase, type Storage, type Stored } from "../../src/sitting/storage";

test("maps are applied one after the other", () => {
    const turn: [number, number, number, number, number, number] = [0, 1, -1, 0, 0, 0];
    const move: [number, number, number, number, number, number] = [1, 0, 0, 1, 10, 20];
    assert.deepEqual(apply(compose(move, turn), [3, 4]), apply(move, apply(turn, [3, 4])));
    assert.deepEqual(apply(compose(identity, turn), [3, 4]), [-4, 3]);
    assert.deepEqual(apply(fitInto(200, 100, 1000), [200, 100]), [1000, 750]);
});

test("the gradient of the network is the slope of its loss", () => {
    const network = new Network([6, 5, 4, 3], 2);
    const input = Float32Array.from([0.1, 0.9, 0.3, 0, 0.5, 1]);
    const gradient = network.gradient(input, 2);
    assert.ok(gradient[0]!.weights.some((slope) => slope !== 0), "no unit is active: another seed is needed");
    let checked = 0;
    network.layers.forEach((layer, index) => {
        for (const part of ["weights", "biases"] as const) {
            layer[part].forEach((value, i) => {
                const step = 1e-3; // small, so that no ReLU bends within it
                layer[part][i] = value + step;
                const above = network.loss(input, 2);
                layer[part][i] = value - step;
                const below = network.loss(input, 2);
                layer[part][i] = value;
                assert.ok(Math.abs((above - below) / (2 * step) - gradient[index]![part][i]!) < 5e-3, `${part} ${i} of layer ${index}`);
                checked += 1;
            });
        }
    });
    assert.equal(checked, 6 * 5 + 5 + 5 * 4 + 4 + 4 * 3 + 3);
});

test("the network learns what it is shown, and the same seed gives the same network", () => {
    const [a, b] = [new Network([4, 16, 2], 3), new Network([4, 16, 2], 3)];
    const inputs = [Float32Array.from([1, 0, 1, 0]), Float32Array.from([0, 1, 0, 1])];
    for (let i = 0; i < 3000; i += 1) for (const network of [a, b]) network.learn(inputs[i % 2]!, i % 2);
    assert.deepEqual(inputs.map((input) => a.predict(input)), [0, 1]);
    assert.deepEqual(a.probabilities(inputs[0]!), b.probabilities(inputs[0]!));
    assert.ok(a.loss(inputs[0]!, 0) < 0.3);
});

function digitsFile(count: number): Uint8Array {
    const file = new Uint8Array(8 + count * 785);
    file.set(new TextEncoder().encode("SPRIGDIG"));
    for (let i = 0; i < count; i += 1) file[8 + i * 785] = i % 10;
    return file;
}

test("digits are read, split and arranged", () => {
    const digits = parseDigits(digitsFile(60));
    const { stream, tests } = split(digits, 1);
    assert.deepEqual(stream.map((part) => part.length), new Array(10).fill(5));
    assert.deepEqual(tests.map((part) => part.length), new Array(10).fill(1));
    const labels = (order: "classes" | "blocks" | "mixed") => arrange(stream, order).map((digit) => digit.label).join("");
    assert.ok(labels("classes").startsWith("0000011111"));
    assert.ok(labels("mixed").startsWith("01234567890"));
    assert.equal(labels("blocks").length, 50);
    assert.throws(() => parseDigits(digitsFile(60).subarray(1)));
    const wrong = digitsFile(10);
    wrong[8] = 10;
    assert.throws(() => parseDigits(wrong));
});

test("accuracy is the mean over the classes taught so far", () => {
    assert.equal(accuracy([1, 0.5, null, null]), 0.75);
    assert.equal(accuracy([null]), 0);
});

test("a class has its own letter as its key, the others the free digits", () => {
    const keys = classKeys(["star", "1", "a", "house"].map((label) => ({ label, samples: 1, units: 1 })));
    assert.deepEqual([...keys], [["star", "2"], ["1", "1"], ["a", "a"], ["house", "3"]]);
});

const answerOf = (scores: Record<Label, number>): Answer => {
    const ranking = Object.entries(scores).map(([label, score]) => ({ label, score, probability: 0 }))
        .sort((a, b) => b.score - a.score);
    return { label: ranking[0]?.label ?? null, probability: 0, known: null, fit: null, margin: 0, ranking };
};

test("the comparison sees a single changed bit, and leaves out the class that was taught", () => {
    const before = [answerOf({ a: 1, b: 2 }), answerOf({ a: 3, b: 4 })];
    assert.deepEqual(compare(before, [answerOf({ a: 1, b: 5, c: 0 }), answerOf({ a: 3, b: 0 })], "b"),
        { examples: 2, scores: 2, changed: 0 });
    assert.deepEqual(compare(before, [answerOf({ a: 1 + Number.EPSILON, b: 2 }), answerOf({ b: 4 })], "b"),
        { examples: 2, scores: 2, changed: 2 });
});

test("the effect of a lesson follows from its events", () => {
    assert.equal(effectOf([{ kind: "created", unit: "1" }]), "founded");
    assert.equal(effectOf([{ kind: "refined", unit: "1" }]), "joined");
    assert.equal(effectOf([{ kind: "refined", unit: "1" }, { kind: "removed", unit: "2" }]), "changed");
});

/** Learns by heart: a class scores the number of its lessons, plus one for an equal drawing. */
class Rote implements Engine {
    closed = false;
    constructor(private lessons: { sample: string; label: Label }[], private readonly mostUndone: number) {}
    private state(): Summary {
        const labels = [...new Set(this.lessons.map((lesson) => lesson.label))];
        return {
            learner: "rote", preset: "", free_pose: false, lessons: this.lessons.length, file: false, bytes: 0,
            classes: labels.map((label) => ({ label, samples: 1, units: 1 })),
            undoable: Math.min(this.mostUndone, this.lessons.length), digest: JSON.stringify(this.lessons),
        };
    }
    summary = async () => this.state();
    predict = async (sample: Sample) => {
        const scores: Record<Label, number> = {};
        for (const lesson of this.lessons)
            scores[lesson.label] = (scores[lesson.label] ?? 0) + 1 + (lesson.sample === JSON.stringify(sample) ? 100 : 0);
        return answerOf(scores);
    };
    predictMany = (samples: Sample[]) => Promise.all(samples.map((sample) => this.predict(sample)));
    learn = async (sample: Sample, label: Label): Promise<Lesson> => {
        const isNew = !this.lessons.some((lesson) => lesson.label === label);
        this.lessons = [...this.lessons, { sample: JSON.stringify(sample), label }];
        return { label, new_class: isNew, events: [{ kind: isNew ? "created" : "refined", unit: "1" }], model: this.state() };
    };
    learnMany = async (samples: Sample[], labels: Label[]) => {
        for (const [i, sample] of samples.entries()) await this.learn(sample, labels[i]!);
        return this.state();
    };
    undo = async () => {
        this.lessons = this.lessons.slice(0, -1);
        return this.state();
    };
    rename = async (label: Label, newLabel: Label) => {
        this.lessons = this.lessons.map((lesson) => (lesson.label === label ? { ...lesson, label: newLabel } : lesson));
        return this.state();
    };
    forget = async (label: Label) => {
        this.lessons = this.lessons.filter((lesson) => lesson.label !== label);
        return this.state();
    };
    toBytes = async () => new TextEncoder().encode(JSON.stringify(this.lessons));
    close = async () => {
        this.closed = true;
    };
    explain = () => Promise.reject(new Error("not here"));
    addClass = () => Promise.reject(new Error("not here"));
    units = () => Promise.reject(new Error("not here"));
    drawing = () => Promise.reject(new Error("not here"));
}

function memoryStorage(): Storage & { stored: Stored | null } {
    return {
        stored: null,
        async load() {
            return structuredClone(this.stored);
        },
        async saveBase(base: Base) {
            this.stored = { base: structuredClone(base), lessons: [], digest: "" };
        },
        async saveLessons(base, lessons, digest) {
            this.stored = structuredClone({ base, lessons, digest });
        },
    };
}

const openRote = (mostUndone: number) => async (bytes: Uint8Array | null) =>
    new Rote(bytes ? JSON.parse(new TextDecoder().decode(bytes)) : [], mostUndone);
const drawing = (x: number): Sample => ({ strokes: [[[x, 0], [0, x]]] });

test("a sitting teaches, asks again, and undoes to any point, also beyond the engine's own undo", async () => {
    for (const mostUndone of [1, 100]) {
        const storage = memoryStorage();
        const sitting = await Sitting.begin(openRote(mostUndone), storage, newBase({ kind: "nothing" }, null));
        const digests = [sitting.summary.digest];
        for (const [x, label] of [[1, "a"], [2, "b"], [3, "a"], [4, "c"]] as [number, string][]) {
            const { answer, comparison, lesson } = await sitting.teach(drawing(x), label, null);
            assert.equal(answer.label, label);
            assert.equal(comparison.changed, 0);
            assert.equal(lesson.newClass, x !== 3);
            digests.push(sitting.summary.digest);
        }
        assert.equal(sitting.undoable(), 4);
        assert.ok([0, 1, 2, 3].every((index) => sitting.isRight(index)));
        await sitting.undoTo(1);
        assert.equal(sitting.summary.digest, digests[1]);
        assert.equal(sitting.answers.length, 1);
        const again = await Sitting.resume(openRote(mostUndone), storage);
        assert.equal(again?.summary.digest, digests[1]);
        assert.equal(again?.undoable(), 1);
    }
});

test("a sitting whose stored lessons give another model says so, and keeps the lessons", async () => {
    const storage = memoryStorage();
    const sitting = await Sitting.begin(openRote(9), storage, newBase({ kind: "nothing" }, null));
    await sitting.teach(drawing(1), "a", null);
    storage.stored!.digest = "another";
    const again = await Sitting.resume(openRote(9), storage);
    assert.equal(again?.learnedAgain, true);
    assert.equal(again?.lessons.length, 1);
    assert.equal((await Sitting.resume(openRote(9), storage))?.learnedAgain, false);
});

test("on a server, a lesson of somebody else ends what can be undone here", async () => {
    const engine = new Rote([], 20);
    const sitting = await Sitting.on(engine);
    await sitting.teach(drawing(1), "a", null);
    await sitting.teach(drawing(2), "b", null);
    assert.equal(sitting.undoable(), 2);
    await engine.learn(drawing(3), "c");
    await sitting.refresh(await engine.summary());
    assert.equal(sitting.undoable(), 0);
    await sitting.refresh(await engine.undo());
    assert.equal(sitting.undoable(), 2);
    await engine.learn(drawing(3), "c");
    await sitting.refresh(await engine.summary());
    await sitting.teach(drawing(4), "d", null);
    assert.equal(sitting.undoable(), 1);
    await sitting.undoTo(2);
    assert.deepEqual((await engine.summary()).classes.map((one) => one.label), ["a", "b", "c"]);
});

test("renaming and forgetting keep the examples and end what can be undone", async () => {
    const storage = memoryStorage();
    const sitting = await Sitting.begin(openRote(9), storage, newBase({ kind: "nothing" }, null));
    await sitting.teach(drawing(1), "a", null);
    await sitting.teach(drawing(2), "b", null);
    await sitting.rename("a", "first");
    assert.equal(sitting.undoable(), 0);
    assert.deepEqual(sitting.lessons.map((lesson) => lesson.label), ["first", "b"]);
    assert.ok(sitting.isRight(0));
    await sitting.teach(drawing(3), "c", null);
    assert.equal(sitting.undoable(), 1);
    await sitting.undoTo(1); // more than can be undone: nothing happens
    assert.equal(sitting.lessons.length, 3);
    await sitting.forget("b");
    const again = await Sitting.resume(openRote(9), storage);
    assert.deepEqual(again?.lessons.map((lesson) => lesson.label), ["first", "c"]);
    assert.equal(again?.summary.digest, sitting.summary.digest);
});

test("a browser that cannot store is told once", async () => {
    let told = 0;
    const refusing = forgiving({
        load: async () => null,
        saveBase: () => Promise.reject(new Error("no")),
        saveLessons: () => Promise.reject(new Error("no")),
    }, () => {
        told += 1;
    });
    const sitting = await Sitting.begin(openRote(9), refusing, newBase({ kind: "nothing" }, null));
    await sitting.teach(drawing(1), "a", null);
    assert.equal(sitting.lessons.length, 1);
    assert.equal(told, 1);
});

test("a unit that was found turned or mirrored is expected where it was found", () => {
    const points: [number, number][] = [[1, 2], [5, 0], [-3, 4], [0, -6]];
    const unit = (turned: number, leftRight: boolean): ExplainedUnit => ({
        lineage: "", polarity: "positive", observations: 1, present: true, value: 0, turned,
        mirrored: { left_right: leftRight, top_bottom: false },
        nodes: points.map((at, index) => ({ type: "", expected_at: at, placed: index === 3 ? null : index })),
    });
    const turn = ([x, y]: [number, number]): [number, number] => [7 - 2 * y, 1 + 2 * x];
    const expected = expectedHere(unit(Math.PI / 2, false), (index) => turn(points[index]!));
    for (const at of points) expected(at).forEach((value, axis) => assert.ok(Math.abs(value - turn(at)[axis]!) < 1e-9));
    const mirror = ([x, y]: [number, number]): [number, number] => [3 - x, y];
    const mirrored = expectedHere(unit(0, true), (index) => mirror(points[index]!));
    for (const at of points) mirrored(at).forEach((value, axis) => assert.ok(Math.abs(value - mirror(at)[axis]!) < 1e-9));
});
