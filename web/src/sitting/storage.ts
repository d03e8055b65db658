// The sitting in the browser's database: the model that it began with, and the lessons since.

import type { Lesson } from "./sitting";

export interface Base {
    /** Tells it from the base of another window of the page. */
    id: string;
    /** Nothing: the sitting began with an empty model. */
    bytes: Uint8Array | null;
    /** What it began with, for the title. */
    source: Source;
}
export type Source = { kind: "nothing" } | { kind: "digits" } | { kind: "file"; name: string };
export interface Stored {
    base: Base;
    lessons: Lesson[];
    /** Of the model after the lessons. Learning is deterministic: replaying them must give it again. */
    digest: string;
}

const databaseName = "sprig";
const storeName = "sitting";

function open(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
        const request = indexedDB.open(databaseName, 1);
        request.onupgradeneeded = () => request.result.createObjectStore(storeName);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}

/** Runs one transaction: all of it is stored, or nothing. */
async function transact<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => () => T): Promise<T> {
    const database = await open();
    try {
        return await new Promise<T>((resolve, reject) => {
            const transaction = database.transaction(storeName, mode);
            const result = work(transaction.objectStore(storeName));
            transaction.oncomplete = () => resolve(result());
            transaction.onerror = () => reject(transaction.error);
            transaction.onabort = () => reject(transaction.error);
        });
    } finally {
        database.close();
    }
}

export interface Storage {
    load(): Promise<Stored | null>;
    saveBase(base: Base): Promise<void>;
    /** If another window has stored another base since, both are stored: the last one to change something wins. */
    saveLessons(base: Base, lessons: Lesson[], digest: string): Promise<void>;
}

export function newBase(source: Source, bytes: Uint8Array | null): Base {
    return { id: `${Date.now()}-${Math.random()}`, source, bytes };
}

export const browserStorage: Storage = {
    load: () => transact("readonly", (store) => {
        const [base, progress] = [store.get("base"), store.get("progress")];
        return () => base.result && { base: base.result, lessons: [], digest: "", ...progress.result };
    }),
    saveBase: (base) => transact("readwrite", (store) => {
        store.put(base, "base");
        store.delete("progress");
        return () => undefined;
    }),
    saveLessons: (base, lessons, digest) => transact("readwrite", (store) => {
        const stored = store.get("base");
        stored.onsuccess = () => {
            if ((stored.result as Base | undefined)?.id !== base.id) store.put(base, "base");
            store.put({ lessons, digest }, "progress");
        };
        return () => undefined;
    }),
};

/** The same, for a browser that does not let the page store: `failed` is told once, and the page goes on. */
export function forgiving(storage: Storage, failed: () => void): Storage {
    let told = false;
    const attempt = async (save: () => Promise<void>) => {
        try {
            await save();
        } catch {
            if (!told) failed();
            told = true;
        }
    };
    return {
        load: () => storage.load(),
        saveBase: (base) => attempt(() => storage.saveBase(base)),
        saveLessons: (base, lessons, digest) => attempt(() => storage.saveLessons(base, lessons, digest)),
    };
}

/** Where the model is stored elsewhere: on the server. */
export const noStorage: Storage = {
    load: async () => null,
    saveBase: async () => undefined,
    saveLessons: async () => undefined,
};
