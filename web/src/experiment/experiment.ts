// The experiment: the same stream of digits to two learners, both tested on the same other digits as they learn.

import type { Engine, Sample } from "../engine/types";
import { arrange, type Digit, type Digits, type Order, side, split } from "./digits";
import type { NetworkReply, NetworkRequest } from "./network_worker";

/** The number of digits of each class that are used for testing only. */
export const heldOut = 40;
/** The number of digits learned between two tests. */
export const interval = 50;

/** One test of both learners. */
export interface Test {
    learned: number;
    /** By class: the share recognised; nothing for classes not taught yet. */
    sprig: (number | null)[];
    network: (number | null)[];
    units: number;
}
export interface Progress {
    length: number;
    learned: number;
    /** The class of the digits that come next; nothing at the end. */
    next: string | null;
    tests: Test[];
}

export interface Learner {
    learn(digits: Digit[]): Promise<void>;
    /** A digit for each image, or nothing. */
    predict(digits: Digit[]): Promise<(string | null)[]>;
    close(): Promise<void>;
}

const sampleOf = (digit: Digit): Sample => ({ pixels: { width: side, height: side, channels: 1, data: digit.ink }, raw: true });

export class SprigLearner implements Learner {
    units = 0;
    constructor(private readonly engine: Engine) {}

    async learn(digits: Digit[]): Promise<void> {
        const summary = await this.engine.learnMany(digits.map(sampleOf), digits.map((digit) => digit.label));
        this.units = summary.classes.reduce((sum, one) => sum + one.units, 0);
    }
    async predict(digits: Digit[]): Promise<(string | null)[]> {
        return (await this.engine.predictMany(digits.map(sampleOf))).map((answer) => answer.label);
    }
    close(): Promise<void> {
        return this.engine.close();
    }
}

export class NetworkLearner implements Learner {
    private readonly worker = new Worker("network.js", { type: "module" });

    private ask(request: NetworkRequest): Promise<NetworkReply> {
        return new Promise((resolve, reject) => {
            this.worker.onmessage = (event: MessageEvent<NetworkReply>) => resolve(event.data);
            this.worker.onerror = (event) => reject(new Error(event.message));
            this.worker.postMessage(request);
        });
    }
    async begin(seed: number): Promise<this> {
        await this.ask({ kind: "begin", seed });
        return this;
    }
    async learn(digits: Digit[]): Promise<void> {
        await this.ask({ kind: "learn", images: digits.map((digit) => digit.ink), targets: digits.map((digit) => Number(digit.label)) });
    }
    async predict(digits: Digit[]): Promise<(string | null)[]> {
        return (await this.ask({ kind: "predict", images: digits.map((digit) => digit.ink) })).map(String);
    }
    async close(): Promise<void> {
        this.worker.terminate();
    }
}

/** The mean over the classes taught so far. */
export function accuracy(byClass: (number | null)[]): number {
    const taught = byClass.filter((share): share is number => share !== null);
    return taught.reduce((sum, share) => sum + share, 0) / Math.max(1, taught.length);
}

export class Experiment {
    readonly progress: Progress;
    private readonly stream: Digit[];
    private readonly tests: Digit[][];
    private readonly seen = new Set<string>();
    private running = false;
    private step: Promise<void> = Promise.resolve();

    constructor(private readonly sprig: SprigLearner, private readonly network: Learner, digits: Digits, order: Order,
                private readonly changed: (progress: Progress, running: boolean) => void) {
        const parts = split(digits, heldOut);
        this.stream = arrange(parts.stream, order);
        this.tests = parts.tests;
        this.progress = { length: this.stream.length, learned: 0, next: this.stream[0]?.label ?? null, tests: [] };
    }

    get finished(): boolean {
        return this.progress.learned === this.progress.length;
    }

    async run(): Promise<void> {
        if (this.running) return;
        this.running = true;
        try {
            while (this.running && !this.finished) {
                this.changed(this.progress, true);
                this.step = this.advance();
                await this.step;
            }
        } finally {
            this.running = false;
            this.changed(this.progress, false);
        }
    }
    pause(): void {
        this.running = false;
    }
    async close(): Promise<void> {
        this.pause();
        // A learner that is closed while it is asked would never answer.
        await this.step.catch(() => undefined);
        await Promise.all([this.sprig.close(), this.network.close()]);
    }

    /** Both learn the next digits, and both are tested. */
    private async advance(): Promise<void> {
        const { progress } = this;
        const digits = this.stream.slice(progress.learned, progress.learned + interval);
        for (const digit of digits) this.seen.add(digit.label);
        const known = this.tests.filter((tests) => this.seen.has(tests[0]!.label));
        const [sprig, network] = await Promise.all([this.sprig, this.network].map(async (learner) => {
            await learner.learn(digits);
            return learner.predict(known.flat());
        }));
        progress.learned += digits.length;
        progress.next = this.stream[progress.learned]?.label ?? null;
        progress.tests.push({
            learned: progress.learned, units: this.sprig.units,
            sprig: this.shares(known.flat(), sprig!), network: this.shares(known.flat(), network!),
        });
    }

    private shares(asked: Digit[], answers: (string | null)[]): (number | null)[] {
        return this.tests.map((tests) => {
            const label = tests[0]!.label;
            if (!this.seen.has(label)) return null;
            const right = asked.filter((digit, index) => digit.label === label && answers[index] === label).length;
            return right / tests.length;
        });
    }
}
