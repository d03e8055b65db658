// One sitting: a model, the lessons taught to it here, and the proof that nothing was forgotten. Knows no page.

import type { Answer, Engine, Label, Sample, Summary, LessonEvent } from "../engine/types";
import { type Comparison, compare } from "./compare";
import { type Base, newBase, noStorage, type Source, type Storage } from "./storage";

export type Effect = "founded" | "joined" | "changed";

export interface Lesson {
    sample: Sample;
    label: Label;
    newClass: boolean;
    effect: Effect;
    /** Units made and units updated. */
    events: LessonEvent[];
    /** Part of the base: it is asked again, but can no longer be undone. */
    settled: boolean;
    /** What stands for it in lists: a picture's address; strokes are drawn. */
    thumbnail: string | null;
}

export interface Taught {
    lesson: Lesson;
    /** The answer to the example that was just taught. */
    answer: Answer;
    comparison: Comparison;
}

/** Opens an engine on these bytes, or an empty one. */
export type OpenEngine = (bytes: Uint8Array | null) => Promise<Engine>;

/** Lessons beyond this become part of the base, so that a reload stays quick. */
const mostUnsettled = 400;

export function effectOf(events: LessonEvent[]): Effect {
    if (events.some((event) => event.kind === "created")) return "founded";
    return events.length === 1 && events[0]!.kind === "refined" ? "joined" : "changed";
}

export class Sitting {
    lessons: Lesson[] = [];
    /** The current answer to each lesson's example. */
    answers: Answer[] = [];
    summary!: Summary;
    /** The stored lessons gave another model than before, as after a change of the engine. */
    learnedAgain = false;
    /** Of the model after the last change made here. */
    private ownDigest = "";

    private constructor(public engine: Engine, private readonly open: OpenEngine | null,
                        private readonly storage: Storage, private base: Base) {}

    get source(): Source {
        return this.base.source;
    }

    /** A sitting on an engine that keeps its own model, as the server does. */
    static async on(engine: Engine): Promise<Sitting> {
        const sitting = new Sitting(engine, null, noStorage, newBase({ kind: "nothing" }, null));
        sitting.setSummary(await engine.summary());
        return sitting;
    }

    static async begin(open: OpenEngine, storage: Storage, base: Base): Promise<Sitting> {
        const sitting = new Sitting(await open(base.bytes), open, storage, base);
        sitting.setSummary(await sitting.engine.summary());
        await storage.saveBase(base);
        return sitting;
    }

    /** The sitting that was stored, its lessons taught again. Nothing if there is none. */
    static async resume(open: OpenEngine, storage: Storage): Promise<Sitting | null> {
        const stored = await storage.load();
        if (!stored) return null;
        const sitting = new Sitting(await open(stored.base.bytes), open, storage, stored.base);
        sitting.lessons = stored.lessons;
        await sitting.replay(sitting.engine);
        sitting.learnedAgain = stored.digest !== "" && sitting.summary.digest !== stored.digest;
        if (sitting.learnedAgain) await sitting.store();
        await sitting.askAgain();
        return sitting;
    }

    private async replay(engine: Engine): Promise<void> {
        const lessons = this.lessons.filter((lesson) => !lesson.settled);
        this.setSummary(lessons.length === 0 ? await engine.summary() : await engine.learnMany(
            lessons.map((lesson) => lesson.sample), lessons.map((lesson) => lesson.label)));
    }

    private setSummary(summary: Summary): void {
        this.summary = summary;
        this.ownDigest = summary.digest;
    }

    private async askAgain(): Promise<void> {
        this.answers = this.lessons.length === 0 ? [] :
            await this.engine.predictMany(this.lessons.map((lesson) => lesson.sample));
    }

    /** Learns one example, asks all examples again, and compares every score of every other class. */
    async teach(sample: Sample, label: Label, thumbnail: string | null): Promise<Taught> {
        // On a lesson of somebody else, those before it can no longer be undone alone.
        if (this.undoable() === 0) this.lessons = this.lessons.map((lesson) => ({ ...lesson, settled: true }));
        const before = [...this.answers, await this.engine.predict(sample)];
        const reply = await this.engine.learn(sample, label);
        const lesson: Lesson = {
            sample, label, newClass: reply.new_class, events: reply.events, effect: effectOf(reply.events),
            settled: false, thumbnail,
        };
        this.lessons = [...this.lessons, lesson];
        this.setSummary(reply.model);
        await this.askAgain();
        const comparison = compare(before, this.answers, label);
        if (this.lessons.filter((one) => !one.settled).length > mostUnsettled) await this.settle();
        await this.store();
        return { lesson, answer: this.answers.at(-1)!, comparison };
    }

    isRight(index: number): boolean {
        return this.answers[index]?.label === this.lessons[index]?.label;
    }

    /** The number of latest lessons that can be undone. */
    undoable(): number {
        const unsettled = this.lessons.filter((lesson) => !lesson.settled).length;
        if (this.open) return unsettled;
        return this.summary.digest === this.ownDigest ? Math.min(unsettled, this.summary.undoable) : 0;
    }

    /** Undoes the latest lessons, down to this many. */
    async undoTo(count: number): Promise<void> {
        const undone = this.lessons.length - count;
        if (undone <= 0 || undone > this.undoable()) return;
        this.lessons = this.lessons.slice(0, count);
        if (undone <= this.summary.undoable) {
            for (let i = 0; i < undone; i += 1) this.setSummary(await this.engine.undo());
        } else if (this.open) {
            const engine = await this.open(this.base.bytes);
            await this.replay(engine);
            await this.engine.close();
            this.engine = engine;
        }
        await this.askAgain();
        await this.store();
    }

    async rename(label: Label, newLabel: Label): Promise<void> {
        this.setSummary(await this.engine.rename(label, newLabel));
        this.lessons = this.lessons.map((lesson) => (lesson.label === label ? { ...lesson, label: newLabel } : lesson));
        await this.settle();
        await this.askAgain();
        await this.store();
    }

    async forget(label: Label): Promise<void> {
        this.setSummary(await this.engine.forget(label));
        this.lessons = this.lessons.filter((lesson) => lesson.label !== label);
        await this.settle();
        await this.askAgain();
        await this.store();
    }

    /** Somebody else changed the model. */
    async refresh(summary: Summary): Promise<void> {
        this.summary = summary;
        await this.askAgain();
    }

    /** Makes all lessons part of the base. */
    private async settle(): Promise<void> {
        if (!this.open) return;
        this.base = newBase(this.source, await this.engine.toBytes());
        this.lessons = this.lessons.map((lesson) => ({ ...lesson, settled: true }));
        await this.storage.saveBase(this.base);
    }

    private store(): Promise<void> {
        return this.storage.saveLessons(this.base, this.lessons, this.summary.digest);
    }
}
