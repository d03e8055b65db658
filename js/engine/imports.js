// What the engine imports beside what emscripten knows. The functions are in js/src/wasm.ts.
mergeInto(LibraryManager.library, { number_of: () => {} });
