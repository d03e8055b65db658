// The digits of the experiment: MNIST's grey levels, 255 is ink. web/make_digits.mjs writes the file.

import { strings } from "../strings";

export const side = 28;
const pixels = side * side;
const magic = "SPRIGDIG";

export interface Digit {
    label: string;
    ink: Uint8Array;
}
export interface Digits {
    /** By class, in the order of MNIST's training images. */
    byClass: Digit[][];
}

/** A file is the magic word and, for each image, its digit and its pixels. */
export function parseDigits(file: Uint8Array): Digits {
    const count = (file.length - magic.length) / (1 + pixels);
    if (!Number.isInteger(count) || new TextDecoder().decode(file.subarray(0, magic.length)) !== magic)
        throw new Error(strings.digitsUnreadable);
    const byClass: Digit[][] = Array.from({ length: 10 }, () => []);
    for (let i = 0; i < count; i += 1) {
        const at = magic.length + i * (1 + pixels);
        const digit = file[at]!;
        if (digit > 9) throw new Error(strings.digitsUnreadable);
        byClass[digit]!.push({ label: String(digit), ink: file.subarray(at + 1, at + 1 + pixels) });
    }
    return { byClass };
}

export type Order = "classes" | "blocks" | "mixed";
export const orders: Order[] = ["classes", "blocks", "mixed"];
const block = 5;

/** The last images of each class are tested on, the others are learned. */
export function split({ byClass }: Digits, heldOut: number): { stream: Digit[][]; tests: Digit[][] } {
    return {
        stream: byClass.map((digits) => digits.slice(0, -heldOut)),
        tests: byClass.map((digits) => digits.slice(-heldOut)),
    };
}

/** The order in which the digits are learned. */
export function arrange(stream: Digit[][], order: Order): Digit[] {
    if (order === "classes") return stream.flat();
    const size = order === "blocks" ? block : 1;
    const longest = Math.max(...stream.map((digits) => digits.length));
    const arranged: Digit[] = [];
    for (let at = 0; at < longest; at += size)
        for (const digits of stream) arranged.push(...digits.slice(at, at + size));
    return arranged;
}
