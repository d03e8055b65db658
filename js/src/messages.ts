import type { ErrorKind } from "./errors.js";

/** What a worker is asked: to make its model, or to call a method of it. */
export interface Question {
  id: number;
  method: string;
  args: unknown[];
}

export type Reply = { id: number; value: unknown } | { id: number; error: { kind: ErrorKind; message: string } };

/** The same for workers of browsers and of Node. */
export interface Port {
  send(message: Question | Reply, transfer?: ArrayBuffer[]): void;
  receive(handler: (message: never) => void): void;
}
