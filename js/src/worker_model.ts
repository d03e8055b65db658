import { SprigError } from "./errors.js";
import type { Question, Reply } from "./messages.js";
import type {
  Answer,
  Engine,
  ExplainOptions,
  Explanation,
  Lesson,
  LoggedEvent,
  ModelOptions,
  ReadOptions,
  Sample,
  Summary,
  Unit,
} from "./types.js";

export interface WorkerOptions {
  /** The script of the worker. By default `worker.js` beside the package's JavaScript. */
  worker?: string | URL;
}

/** What browsers and Node have in common. */
interface AnyWorker {
  postMessage(message: Question): void;
  terminate(): unknown;
}
interface NodeWorker extends AnyWorker {
  on(event: "message" | "error" | "exit", handler: (value: never) => void): void;
  unref(): void;
  ref(): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(reason: SprigError): void;
}

/** A `Model` in a worker of its own, so that the page does not wait while it learns. */
export class WorkerModel implements Engine {
  #worker: AnyWorker | null = null;
  #closed = false;
  #next = 0;
  readonly #waiting = new Map<number, Waiting>();

  private constructor() {}

  /** A new model. `wasm` must be an address or a compiled module. */
  static async create(options: ModelOptions & WorkerOptions = {}): Promise<WorkerModel> {
    const { worker, ...rest } = options;
    return WorkerModel.#started(worker, "create", [cloneable(rest)]);
  }
  static async fromBytes(bytes: Uint8Array, options: ReadOptions & WorkerOptions = {}): Promise<WorkerModel> {
    const { worker, ...rest } = options;
    return WorkerModel.#started(worker, "fromBytes", [bytes, cloneable(rest)]);
  }

  predict(sample: Sample): Promise<Answer> {
    return this.#ask("predict", sample);
  }
  predictMany(samples: readonly Sample[]): Promise<Answer[]> {
    return this.#ask("predictMany", samples);
  }
  decide(sample: Sample): Promise<string | null> {
    return this.#ask("decide", sample);
  }
  learn(sample: Sample, label: string): Promise<Lesson> {
    return this.#ask("learn", sample, label);
  }
  learnMany(samples: readonly Sample[], labels: readonly string[]): Promise<Summary> {
    return this.#ask("learnMany", samples, labels);
  }
  explain(sample: Sample, options: ExplainOptions = {}): Promise<Explanation> {
    return this.#ask("explain", sample, options);
  }
  undo(lessons = 1): Promise<Summary> {
    return this.#ask("undo", lessons);
  }
  rename(label: string, newLabel: string): Promise<Summary> {
    return this.#ask("rename", label, newLabel);
  }
  forget(label: string): Promise<Summary> {
    return this.#ask("forget", label);
  }
  addClass(label: string): Promise<Summary> {
    return this.#ask("addClass", label);
  }
  summary(): Promise<Summary> {
    return this.#ask("summary");
  }
  units(label?: string): Promise<Unit[]> {
    return this.#ask("units", label);
  }
  events(): Promise<LoggedEvent[]> {
    return this.#ask("events");
  }
  drawing(): Promise<string> {
    return this.#ask("drawing");
  }
  toBytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#ask("toBytes");
  }

  /** Ends the worker. What was not answered yet fails. */
  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#end(new SprigError("usage", "the model was closed; create another one"));
  }

  static async #started(script: string | URL | undefined, method: string, args: unknown[]): Promise<WorkerModel> {
    const model = new WorkerModel();
    try {
      await model.#start(script);
      await model.#ask(method, ...args);
    } catch (reason) {
      await model.close();
      throw reason;
    }
    return model;
  }

  async #start(script: string | URL | undefined): Promise<void> {
    if (typeof Worker !== "undefined") {
      // The form that bundlers recognise.
      const worker = script
        ? new Worker(script, { type: "module" })
        : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
      worker.onmessage = (event: MessageEvent<Reply>) => this.#receive(event.data);
      worker.onerror = (event) => this.#fail(event.message || "its script cannot be loaded");
      this.#worker = worker;
      return;
    }
    const name = "node:worker_threads"; // not a literal, so that bundlers for browsers leave it alone
    const { Worker: NodeWorker } = (await import(/* @vite-ignore */ name)) as {
      Worker: new (script: string | URL) => NodeWorker;
    };
    const worker = new NodeWorker(script ?? new URL("./worker.js", import.meta.url));
    worker.on("message", (reply: Reply) => this.#receive(reply));
    worker.on("error", (reason: Error) => this.#fail(reason.message));
    worker.on("exit", () => this.#fail("it ended"));
    this.#worker = worker;
  }

  #ask<Value>(method: string, ...args: unknown[]): Promise<Value> {
    const worker = this.#worker;
    if (worker === null || this.#closed)
      return Promise.reject(new SprigError("usage", "the model was closed; create another one"));
    return new Promise<Value>((resolve, reject) => {
      const id = this.#next++;
      try {
        worker.postMessage({ id, method, args });
      } catch (reason) {
        reject(new SprigError("bad_input", `this cannot be sent to a worker: ${(reason as Error).message}`));
        return;
      }
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
    });
  }

  #receive(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("error" in reply) waiting?.reject(new SprigError(reply.error.kind, reply.error.message));
    else waiting?.resolve(reply.value);
  }
  #fail(words: string): void {
    if (!this.#closed) void this.#end(new SprigError("failed", `the worker of the model failed: ${words}`));
  }
  async #end(reason: SprigError): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
    await this.#worker?.terminate();
  }
}

/** The options without what cannot be sent to a worker. */
function cloneable(options: ModelOptions): ModelOptions {
  const { wasm } = options;
  if (wasm === undefined) return options;
  const base = typeof location === "undefined" ? import.meta.url : location.href;
  // The worker lies elsewhere, so that a relative address would mean something else there.
  if (typeof wasm === "string" || wasm instanceof URL) return { ...options, wasm: new URL(wasm, base).href };
  return options;
}
