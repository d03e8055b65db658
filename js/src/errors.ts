/** What the caller can do about an error: "usage" and "bad_input" are his, "failed" is the engine's. */
export type ErrorKind = "usage" | "bad_input" | "failed";

/** The type of all errors of this package. The message is one sentence for a person. */
export class SprigError extends Error {
  readonly kind: ErrorKind;

  constructor(kind: ErrorKind, message: string) {
    super(message);
    this.name = "SprigError";
    this.kind = kind;
  }
}

/** The error of a reply of the engine. */
export function errorOf(reply: string): SprigError {
  if (reply === "") return new SprigError("failed", "there is not enough memory");
  const { kind, message } = (JSON.parse(reply) as { error: { kind: ErrorKind; message: string } }).error;
  return new SprigError(kind, message);
}
