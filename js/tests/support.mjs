// What the tests and the benchmark share: the digits of MNIST, the native program and the size of the package.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const cache = process.env.XDG_CACHE_HOME ?? `${homedir()}/.cache`;
const images = `${cache}/sprig/mnist/train-images-idx3-ubyte`;
const labels = `${cache}/sprig/mnist/train-labels-idx1-ubyte`;
const side = 28;

/** The images of MNIST in order, as samples that are used as they are, and their labels. */
export class Digits {
  #pixels = readFileSync(images).subarray(16);
  #labels = readFileSync(labels).subarray(8);

  sample(index) {
    const size = side * side;
    return {
      pixels: { width: side, height: side, data: this.#pixels.subarray(index * size, (index + 1) * size) },
      raw: true,
    };
  }
  label(index) {
    return String(this.#labels[index]);
  }
  samples(from, to) {
    return Array.from({ length: to - from }, (_, i) => this.sample(from + i));
  }
  labels(from, to) {
    return Array.from({ length: to - from }, (_, i) => this.label(from + i));
  }
}

/** The native program of tests/reference.cpp: it answers one command after the other. */
export class Native {
  #process;
  #lines;

  constructor() {
    const program = fileURLToPath(new URL("../../build/release/js/tests/js_reference", import.meta.url));
    this.#process = spawn(program, [images, labels], { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }
  async ask(...words) {
    this.#process.stdin.write(`${words.join(" ")}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error("the native program ended");
    return JSON.parse(value);
  }
  close() {
    this.#process.stdin.end();
  }
}

/** The sizes of what a browser loads, in bytes with gzip: their sum and a line of text. */
export function gzippedSizes() {
  const names = ["sprig.wasm", "index.js", "worker.js"];
  const sizes = names.map((name) => gzipSync(readFileSync(new URL(`../dist/${name}`, import.meta.url)), { level: 9 }).length);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  return { all, text: `bytes, gzipped: ${names.map((name, i) => `${name} ${sizes[i]}`).join(", ")}, in all ${all}` };
}

export const arrow = { strokes: [[[0, 5], [9, 5]], [[6, 2], [9, 5], [6, 8]]] };
export const zigzag = { strokes: [[[0, 0], [4, 9], [8, 0], [12, 9]]] };
export const square = { strokes: [[[10, 10], [90, 12], [88, 90], [11, 88], [10, 10]]] };
