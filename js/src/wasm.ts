import { errorOf, SprigError } from "./errors.js";
import type { ModelOptions } from "./types.js";

// Loads the WebAssembly module and calls its functions. js/engine/engine.cpp has what they do.

type Place = number;

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  input(size: number): Place;
  reply(): Place;
  reply_size(): number;
  pixels(width: number, height: number, channels: number, raw: number): Place;
  strokes(strokes: number, points: number): Place;
  picture(): number;
  create(): number;
  from_bytes(undo: number): number;
  to_bytes(): number;
  predict(): number;
  decide(): number;
  learn(): number;
  teach(): number;
  explain(): number;
  summary(): number;
  units(): number;
  drawing(): number;
  events(): number;
  undo(lessons: number): number;
  rename(): number;
  forget(): number;
  add_class(): number;
}

/** The functions that succeed or fail, and reply. */
export type Call = {
  [Name in keyof Exports]: Exports[Name] extends (...args: never[]) => number
    ? Name extends "input" | "reply" | "reply_size" | "pixels" | "strokes"
      ? never
      : Name
    : never;
}[keyof Exports];

type Source = NonNullable<ModelOptions["wasm"]>;

const besideThisFile = new URL("./sprig.wasm", import.meta.url);
const compiled = new Map<string, Promise<WebAssembly.Module>>();

const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;
declare const process: { versions?: { node?: string } } | undefined;

async function readFile(url: URL): Promise<BufferSource> {
  const name = "node:fs/promises"; // not a literal, so that bundlers for browsers leave it alone
  const files = (await import(/* @vite-ignore */ name)) as { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> };
  return files.readFile(url);
}

async function compileFrom(url: URL): Promise<WebAssembly.Module> {
  if (isNode && url.protocol === "file:") return WebAssembly.compile(await readFile(url));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  // Servers that do not know the type of the file are common; the module is then compiled after it was loaded.
  return response.headers.get("content-type")?.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

function urlOf(source: string | URL): URL {
  if (source instanceof URL) return source;
  const base = typeof location === "undefined" ? import.meta.url : location.href;
  return new URL(source, base);
}

/** The compiled module. A module is compiled once for each address. */
export async function compile(source: Source = besideThisFile): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  const url = urlOf(source);
  let module = compiled.get(url.href);
  if (module === undefined) {
    module = compileFrom(url).catch((reason: unknown) => {
      compiled.delete(url.href); // the next call tries again
      const words = reason instanceof Error ? reason.message : String(reason);
      throw new SprigError("failed", `the engine cannot be loaded from ${url.href}: ${words}`);
    });
    compiled.set(url.href, module);
  }
  return module;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What the module imports: there are no environment variables, and nothing ends the program. */
function importsOf(memory: () => WebAssembly.Memory): WebAssembly.Imports {
  return {
    env: {
      emscripten_notify_memory_growth: () => {},
      number_of: (text: Place, size: number) =>
        Number(decoder.decode(new Uint8Array(memory().buffer, text >>> 0, size >>> 0))),
    },
    wasi_snapshot_preview1: {
      environ_sizes_get: () => 52, // not supported
      environ_get: () => 52,
      proc_exit: (code: number) => {
        throw new Error(`the engine ended itself with code ${code}`);
      },
    },
  };
}

/** An instance of the module. It has one model, and memory of its own. */
export class Instance {
  #exports: Exports | null;

  private constructor(exports: Exports) {
    this.#exports = exports;
  }

  static async create(module: WebAssembly.Module): Promise<Instance> {
    const instance = await WebAssembly.instantiate(
      module,
      importsOf(() => exports.memory),
    );
    const exports = instance.exports as unknown as Exports;
    exports._initialize();
    return new Instance(exports);
  }

  /** Calls a function, whose reply is then `text`, `json` or `bytes`. Throws the error that it replies with. */
  call(name: Call, argument = 0): void {
    const succeeded = this.#run((exports) => exports[name](argument));
    if (succeeded === 0) throw errorOf(this.text());
  }

  text(): string {
    return decoder.decode(this.#reply());
  }
  json<Reply>(): Reply {
    return JSON.parse(this.text()) as Reply;
  }
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#reply().slice();
  }

  setText(text: string): void {
    this.setBytes(encoder.encode(text));
  }
  setBytes(bytes: ArrayLike<number>): void {
    this.#memory(this.#place((exports) => exports.input(bytes.length)), bytes.length).set(bytes);
  }
  /** Makes the sample an image and returns the memory of its pixels, which is valid until the next call. */
  pixels(width: number, height: number, channels: number, raw: boolean): Uint8Array {
    const place = this.#place((exports) => exports.pixels(width, height, channels, raw ? 1 : 0));
    return this.#memory(place, width * height * channels);
  }
  /** Makes the sample a drawing and returns the memory of its numbers, which is valid until the next call. */
  strokes(strokes: number, points: number): Float64Array {
    const place = this.#place((exports) => exports.strokes(strokes, points));
    return new Float64Array(this.#open().memory.buffer, place, strokes + 3 * points);
  }

  /** The size of its memory, in bytes. */
  get size(): number {
    return this.#open().memory.buffer.byteLength;
  }
  close(): void {
    this.#exports = null;
  }

  #open(): Exports {
    if (this.#exports === null) throw new SprigError("usage", "the model was closed; create another one");
    return this.#exports;
  }
  #place(get: (exports: Exports) => Place): Place {
    const place = this.#run(get) >>> 0;
    if (place === 0) throw errorOf(this.text());
    return place;
  }
  #memory(place: Place, size: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#open().memory.buffer as ArrayBuffer, place, size);
  }
  #reply(): Uint8Array<ArrayBuffer> {
    const exports = this.#open();
    return this.#memory(exports.reply() >>> 0, exports.reply_size() >>> 0);
  }
  /** The engine reports its errors in replies. Anything that is thrown has left it in an unknown state. */
  #run(call: (exports: Exports) => number): number {
    const exports = this.#open();
    try {
      return call(exports);
    } catch (reason) {
      this.close();
      const words = reason instanceof Error ? reason.message : String(reason);
      throw new SprigError("failed", `internal error of the engine: ${words}; the model was closed`);
    }
  }
}
