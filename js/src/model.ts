import { SprigError } from "./errors.js";
import { setSample } from "./samples.js";
import type {
  Answer,
  ExplainOptions,
  Explanation,
  Lesson,
  LoggedEvent,
  ModelOptions,
  ReadOptions,
  Summary,
  SyncSample,
  Unit,
} from "./types.js";
import { compile, Instance } from "./wasm.js";

/** How many lessons can be undone if the options do not say it. */
const defaultUndo = 1000;

function checkedLabel(label: unknown): string {
  if (typeof label !== "string") throw new SprigError("usage", `a class label must be a string, not ${typeof label}`);
  return label;
}

const decoder = new TextDecoder();

/** An answer from the reply of the engine; js/engine/engine.cpp has its layout. */
function answerOf(reply: Uint8Array<ArrayBuffer>): Answer {
  const numbers = new DataView(reply.buffer);
  let at = 0;
  const next = () => numbers.getFloat64((at += 8) - 8, true);
  const nextOrNull = () => {
    const number = next();
    return Number.isNaN(number) ? null : number;
  };
  const classes = next();
  const answer: Answer = {
    label: null,
    probability: next(),
    known: nextOrNull(),
    fit: nextOrNull(),
    margin: next(),
    ranking: [],
  };
  let label = at + 24 * classes; // where the labels begin
  while (answer.ranking.length < classes) {
    const [probability, score, size] = [next(), next(), next()];
    answer.ranking.push({ label: decoder.decode(reply.subarray(label, (label += size))), probability, score });
  }
  answer.label = answer.ranking[0]?.label ?? null;
  return answer;
}

/**
 * A shape classifier that learns one image at a time, in memory. Its methods are synchronous; `WorkerModel` has the
 * same ones in a worker. After an error the model is as it was.
 */
export class Model {
  readonly #instance: Instance;

  private constructor(instance: Instance) {
    this.#instance = instance;
  }

  /** A new model. */
  static async create(options: ModelOptions = {}): Promise<Model> {
    const { wasm, ...rest } = options;
    const instance = await Instance.create(await compile(wasm));
    instance.setText(JSON.stringify({ undo: defaultUndo, ...rest }));
    instance.call("create");
    return new Model(instance);
  }
  /** Reads the output of `toBytes`, or of the program (`sprig export MODEL`). */
  static async fromBytes(bytes: Uint8Array, options: ReadOptions = {}): Promise<Model> {
    const instance = await Instance.create(await compile(options.wasm));
    instance.setBytes(bytes);
    instance.call("from_bytes", options.undo ?? defaultUndo);
    return new Model(instance);
  }

  predict(sample: SyncSample): Answer {
    setSample(this.#instance, sample);
    this.#instance.call("predict");
    return answerOf(this.#instance.bytes());
  }
  predictMany(samples: readonly SyncSample[]): Answer[] {
    return samples.map((sample) => this.predict(sample));
  }
  /** The label of `predict` alone, which is faster; null if the model has no classes. */
  decide(sample: SyncSample): string | null {
    setSample(this.#instance, sample);
    this.#instance.call("decide");
    return this.#instance.text() || null; // a label is never empty
  }
  /** Learns one image; an unknown label adds a class. */
  learn(sample: SyncSample, label: string): Lesson {
    this.#setLesson(sample, label);
    this.#instance.call("learn");
    return this.#instance.json();
  }
  /** Learns images in order. If one is refused, those before it stay learned. */
  learnMany(samples: readonly SyncSample[], labels: readonly string[]): Summary {
    if (samples.length !== labels.length)
      throw new SprigError("usage", `there are ${samples.length} images, but ${labels.length} labels`);
    samples.forEach((sample, i) => {
      try {
        this.#setLesson(sample, labels[i]);
        this.#instance.call("teach");
      } catch (reason) {
        if (!(reason instanceof SprigError)) throw reason;
        throw new SprigError(reason.kind, `image ${i}, after ${i} lessons: ${reason.message}`);
      }
    });
    return this.summary();
  }
  explain(sample: SyncSample, options: ExplainOptions = {}): Explanation {
    setSample(this.#instance, sample);
    this.#instance.setText(JSON.stringify({ versus: options.versus, svg: options.svg }));
    this.#instance.call("explain");
    return this.#instance.json();
  }

  /** Undoes the last lesson, or this number of lessons. */
  undo(lessons = 1): Summary {
    if (!Number.isInteger(lessons) || lessons < 1)
      throw new SprigError("usage", `${lessons} lessons cannot be undone; give a whole number from 1`);
    return this.#changed("undo", lessons);
  }
  /** Lessons before one of these changes cannot be undone. */
  rename(label: string, newLabel: string): Summary {
    this.#instance.setText(JSON.stringify({ label: checkedLabel(label), new_label: checkedLabel(newLabel) }));
    return this.#changed("rename");
  }
  forget(label: string): Summary {
    this.#instance.setText(checkedLabel(label));
    return this.#changed("forget");
  }
  /** Adds a class before its first image. */
  addClass(label: string): Summary {
    this.#instance.setText(checkedLabel(label));
    return this.#changed("add_class");
  }

  summary(): Summary {
    this.#instance.call("summary");
    return this.#instance.json();
  }
  /** All units, or those of a class. */
  units(label?: string): Unit[] {
    this.#instance.setText(label === undefined ? "" : checkedLabel(label));
    this.#instance.call("units");
    return this.#instance.json<{ units: Unit[] }>().units;
  }
  /** The latest changes of structure, oldest first. */
  events(): LoggedEvent[] {
    this.#instance.call("events");
    return this.#instance.json<{ events: LoggedEvent[] }>().events;
  }
  /** A drawing of all units, as SVG. */
  drawing(): string {
    this.#instance.call("drawing");
    return this.#instance.text();
  }
  /** The labels and the learned content, without undo data. Equal content gives equal bytes on every machine. */
  toBytes(): Uint8Array<ArrayBuffer> {
    this.#instance.call("to_bytes");
    return this.#instance.bytes();
  }

  /** The memory that the model and its engine take, in bytes. */
  get memory(): number {
    return this.#instance.size;
  }
  /** Releases the memory. The model cannot be used afterwards. */
  close(): void {
    this.#instance.close();
  }

  #setLesson(sample: SyncSample, label: string | undefined): void {
    const checked = checkedLabel(label);
    setSample(this.#instance, sample);
    this.#instance.setText(checked);
  }
  #changed(call: "undo" | "rename" | "forget" | "add_class", argument = 0): Summary {
    this.#instance.call(call, argument);
    return this.#instance.json<{ model: Summary }>().model;
  }
}
