// The engine in this browser, in a thread of its own.

import { WorkerModel } from "../../../js/src/worker_model";
import type { Engine } from "./types";

const wasm = new URL("sprig.wasm", document.baseURI);
const worker = new URL("worker.js", document.baseURI);

let compiled: Promise<WebAssembly.Module> | null = null;

async function compile(): Promise<WebAssembly.Module> {
    try {
        return await WebAssembly.compileStreaming(fetch(wasm));
    } catch {
        // A file server that does not know the type of the file.
        return WebAssembly.compile(await (await fetch(wasm)).arrayBuffer());
    }
}

/** Compiles the engine once, for all models of the page. Called early, it is ready when it is needed. */
export function prepareEngine(): Promise<WebAssembly.Module> {
    compiled ??= compile();
    return compiled;
}

/** A model of these bytes, or an empty one. */
export async function openEngine(bytes: Uint8Array | null): Promise<Engine> {
    const place = { worker, wasm: await prepareEngine() };
    return bytes ? WorkerModel.fromBytes(bytes, place) : WorkerModel.create(place);
}
