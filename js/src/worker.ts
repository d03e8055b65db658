import { SprigError } from "./errors.js";
import type { Port, Question, Reply } from "./messages.js";
import { Model } from "./model.js";
import { decoded } from "./pictures.js";
import type { ModelOptions, ReadOptions, Sample } from "./types.js";

// The script of a worker: it has one model and answers one question after the other.

let model: Model | undefined;

const takesSample = new Set(["predict", "decide", "learn", "explain"]);
const takesSamples = new Set(["predictMany", "learnMany"]);

async function answer({ method, args }: Question): Promise<unknown> {
  if (method === "create") {
    model = await Model.create(args[0] as ModelOptions);
    return undefined;
  }
  if (method === "fromBytes") {
    model = await Model.fromBytes(args[0] as Uint8Array, args[1] as ReadOptions);
    return undefined;
  }
  if (takesSample.has(method)) args[0] = await decoded(args[0] as Sample);
  if (takesSamples.has(method)) args[0] = await Promise.all((args[0] as Sample[]).map(decoded));
  const methods = model as unknown as Record<string, (...args: unknown[]) => unknown>;
  return methods[method]!(...args);
}

function errorReply(id: number, reason: unknown): Reply {
  if (reason instanceof SprigError) return { id, error: { kind: reason.kind, message: reason.message } };
  const words = reason instanceof Error ? reason.message : String(reason);
  return { id, error: { kind: "failed", message: `internal error: ${words}` } };
}

function serve(port: Port): void {
  // In order: decoding a picture takes time, in which the next question must not be answered.
  let last: Promise<void> = Promise.resolve();
  port.receive((question: Question) => {
    last = last.then(async () => {
      try {
        const value = await answer(question);
        port.send({ id: question.id, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []);
      } catch (reason) {
        port.send(errorReply(question.id, reason));
      }
    });
  });
}

interface NodePort {
  postMessage(message: unknown, transfer?: ArrayBuffer[]): void;
  on(event: "message", handler: (message: never) => void): void;
}
interface Scope {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  onmessage: ((event: MessageEvent<never>) => void) | null;
}

if (typeof self === "undefined") {
  const name = "node:worker_threads";
  const { parentPort } = (await import(/* @vite-ignore */ name)) as { parentPort: NodePort };
  serve({
    send: (message, transfer) => parentPort.postMessage(message, transfer),
    receive: (handler) => parentPort.on("message", handler),
  });
} else {
  const scope = self as unknown as Scope;
  serve({
    send: (message, transfer = []) => scope.postMessage(message, transfer),
    receive: (handler) => {
      scope.onmessage = (event) => handler(event.data);
    },
  });
}
