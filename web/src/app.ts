// What the user can do, as functions on the state. The panels call these and show the state; they know no engine.

import { type Drawing, emptyDrawing, isEmpty, sampleOf } from "./board/drawing";
import { readPicture } from "./board/picture";
import type { ServerModel } from "./engine/server_model";
import type { Engine, Label, Summary, Unit } from "./engine/types";
import { Sitting, type OpenEngine } from "./sitting/sitting";
import { browserStorage, forgiving, newBase, noStorage, type Source, type Storage } from "./sitting/storage";
import type { State, View } from "./state";
import { Store } from "./store";
import { strings } from "./strings";

/** How long the hand rests before the explanation is computed, ms. A stroke that follows at once needs none. */
const restBeforeWhy = 120;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class App {
    readonly store = new Store<State>({
        phase: "loading", view: "draw", onServer: false, source: null, summary: null,
        drawing: emptyDrawing, width: 46, taught: null, answer: null, explained: null, versus: null,
        layers: { network: true, decisive: true, matched: true, missing: true, change: true },
        lessons: [], answers: [], undoable: 0, comparison: null, notice: null,
    });
    private sitting!: Sitting;
    private readonly storage = forgiving(browserStorage, () => this.notify("error", strings.storageFailed));
    private server: ServerModel | null = null;
    /** Changes when the drawing or the model does, so that a late answer is not shown. */
    private moment = 0;
    private queue: Promise<unknown> = Promise.resolve();

    constructor(private readonly open: OpenEngine, private readonly digits: () => Promise<Uint8Array>) {}

    // Starting

    async start(server: ServerModel | null): Promise<void> {
        try {
            if (server) await this.startOnServer(server);
            else await this.startInBrowser();
            this.store.set({ phase: "ready" });
            performance.mark("sprig-ready");
        } catch (error) {
            this.store.set({ phase: "failed", notice: { kind: "error", text: strings.startFailed(messageOf(error)) } });
        }
    }

    private async startOnServer(server: ServerModel): Promise<void> {
        this.server = server;
        this.sitting = await Sitting.on(server);
        this.store.set({ onServer: true });
        this.showSitting();
        server.watch((model) => void this.serverChanged(model));
    }

    private async startInBrowser(): Promise<void> {
        try {
            const resumed = await Sitting.resume(this.open, this.storage);
            this.sitting = resumed ?? await this.sittingOn({ kind: "digits" });
            if (resumed?.learnedAgain) this.notify("info", strings.learnedAgain);
        } catch (error) {
            // What is stored stays as it is, until another model is chosen.
            this.notify("error", strings.resumeFailed(messageOf(error)));
            this.sitting = await this.sittingOn({ kind: "digits" }, null, noStorage);
        }
        this.showSitting();
    }

    private async sittingOn(source: Source, bytes: Uint8Array | null = null, storage: Storage = this.storage): Promise<Sitting> {
        const base = newBase(source, source.kind === "digits" ? await this.digits() : bytes);
        return Sitting.begin(this.open, storage, base);
    }

    private async serverChanged(model: Summary): Promise<void> {
        if (model.digest === this.sitting.summary.digest) return;
        await this.run(async () => {
            if (model.digest === this.sitting.summary.digest) return;
            await this.sitting.refresh(await this.sitting.engine.summary());
            this.showSitting();
            await this.ask();
        });
    }

    private showSitting(): void {
        const { summary, lessons, answers, source } = this.sitting;
        this.store.set({ summary, lessons, answers, source, undoable: this.sitting.undoable() });
    }

    notify(kind: "info" | "error", text: string): void {
        this.store.set({ notice: { kind, text } });
    }
    dismiss(): void {
        this.store.set({ notice: null });
    }

    /** One thing after the other. An error becomes a notice, and the page lives on. */
    private run<T>(work: () => Promise<T>): Promise<T | undefined> {
        const result = this.queue.then(work).catch((error) => {
            this.notify("error", messageOf(error));
            return undefined;
        });
        this.queue = result;
        return result;
    }

    // Drawing

    show(view: View): void {
        this.store.set({ view });
    }

    penDown(): void {
        this.moment += 1;
        this.store.set({ taught: null, explained: null });
    }

    drawn(drawing: Drawing): void {
        this.moment += 1;
        this.store.set({ drawing, taught: null, explained: null });
        if (isEmpty(drawing)) this.store.set({ answer: null, versus: null });
        else void this.run(() => this.ask());
    }

    undoStroke(): void {
        const { drawing } = this.store.get();
        if (!isEmpty(drawing)) this.drawn({ strokes: drawing.strokes.slice(0, -1), picture: null });
    }
    clear(): void {
        this.drawn(emptyDrawing);
    }

    async takePicture(file: Blob): Promise<void> {
        try {
            this.drawn({ strokes: [], picture: await readPicture(file) });
            this.show("draw");
        } catch (error) {
            this.notify("error", messageOf(error));
        }
    }

    /** Asks about the drawing: first for the answer, then, if the hand rests, for the reasons. */
    private async ask(): Promise<void> {
        const { drawing } = this.store.get();
        if (isEmpty(drawing)) return;
        const moment = this.moment;
        const asked = performance.now();
        const answer = await this.sitting.engine.predict(sampleOf(drawing));
        if (moment !== this.moment) return;
        const { versus } = this.store.get();
        const known = answer.ranking.some((ranked) => ranked.label === versus) && versus !== answer.label;
        this.store.set({ answer, versus: known ? versus : null, notice: null });
        requestAnimationFrame(() => performance.measure("sprig-answer", { start: asked, end: performance.now() }));
        this.explainSoon();
    }

    private explainSoon(): void {
        const moment = this.moment;
        setTimeout(() => {
            if (moment === this.moment) void this.run(() => this.explain());
        }, restBeforeWhy);
    }

    private async explain(): Promise<void> {
        const { drawing, versus, answer } = this.store.get();
        if (isEmpty(drawing) || answer?.label == null) return;
        const moment = this.moment;
        const sample = sampleOf(drawing);
        const explanation = await this.sitting.engine.explain(sample, versus === null ? {} : { versus });
        if (moment === this.moment) this.store.set({ explained: { explanation, sample } });
    }

    compareWith(versus: Label | null): void {
        this.store.set({ versus });
        void this.run(() => this.explain());
    }

    // Teaching

    teach(label: Label): Promise<void> {
        return this.run(async () => {
            const { drawing } = this.store.get();
            if (isEmpty(drawing)) return this.notify("info", strings.teachFirstDraw);
            if (label === "") return this.notify("info", strings.teachFirstName);
            const { answer, comparison } = await this.sitting.teach(sampleOf(drawing), label, drawing.picture?.url ?? null);
            this.moment += 1;
            this.showSitting();
            this.store.set({ answer, comparison, taught: label, versus: null, explained: null, notice: null });
            this.explainSoon();
        });
    }

    undoTo(count: number): Promise<void> {
        return this.change(() => this.sitting.undoTo(count));
    }
    undoLast(): Promise<void> {
        const { lessons, undoable } = this.store.get();
        return undoable > 0 ? this.undoTo(lessons.length - 1) : Promise.resolve();
    }
    rename(label: Label, newLabel: Label): Promise<void> {
        return this.change(() => this.sitting.rename(label, newLabel));
    }
    forget(label: Label): Promise<void> {
        return this.change(() => this.sitting.forget(label));
    }

    private change(work: () => Promise<void>): Promise<void> {
        return this.run(async () => {
            await work();
            this.moment += 1;
            this.showSitting();
            this.store.set({ comparison: null, taught: null, explained: null });
            await this.ask();
        });
    }

    units(): Promise<Unit[]> {
        return this.sitting.engine.units();
    }

    /** For scripts and tests: what the page knows, as soon as nothing is under way and the reasons are there. */
    async settled(): Promise<State> {
        for (;;) {
            await this.queue;
            const { drawing, answer, explained } = this.store.get();
            const asking = !isEmpty(drawing) && (answer === null || (answer.label !== null && explained === null));
            if (!asking) return this.store.get();
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
    }
    get engine(): Engine {
        return this.sitting.engine;
    }

    // The model

    begin(source: Source, bytes: Uint8Array | null = null): Promise<void> {
        return this.run(async () => {
            const previous = this.sitting;
            this.sitting = await this.sittingOn(source, bytes);
            await previous.engine.close();
            this.moment += 1;
            this.showSitting();
            this.store.set({
                drawing: emptyDrawing, answer: null, explained: null, versus: null, taught: null, comparison: null,
                notice: null, view: "draw",
            });
        });
    }

    async openFile(file: File): Promise<void> {
        const bytes = new Uint8Array(await file.arrayBuffer());
        try {
            // Tried first, so that a file that is no model replaces nothing.
            await (await this.open(bytes)).close();
        } catch (error) {
            return this.notify("error", strings.fileUnusable(file.name, messageOf(error)));
        }
        await this.begin({ kind: "file", name: file.name }, bytes);
    }

    bytes(): Promise<Uint8Array | undefined> {
        return this.run(() => this.sitting.engine.toBytes());
    }
    serverFile(): Promise<Blob | undefined> {
        return this.run(async () => this.server?.toFile());
    }
    /** The strokes taught here, one drawing per line, as `sprig learn strokes:FILE` reads them. */
    strokeLines(): string {
        return this.store.get().lessons.flatMap(({ label, sample }) =>
            ("strokes" in sample ? [`${JSON.stringify({ label, strokes: sample.strokes })}\n`] : [])).join("");
    }
}
