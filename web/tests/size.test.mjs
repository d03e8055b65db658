// The page with the engine and the demonstration stays small.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { root } from "./support.mjs";

const most = 500 * 1000;

test("the page is small", (context) => {
    const folder = join(root, "web/dist");
    const sizes = readdirSync(folder).filter((file) => file !== "digits.bin")
        .map((file) => [file, gzipSync(readFileSync(join(folder, file)), { level: 9 }).length]);
    for (const needed of ["page.js", "demo.bytes", "index.html"]) assert.ok(sizes.some(([file]) => file === needed), needed);
    const sum = sizes.reduce((total, [, size]) => total + size, 0);
    context.diagnostic(`gzipped: ${sum} bytes (${sizes.map(([file, size]) => `${file} ${size}`).join(", ")})`);
    assert.ok(sum <= most, `${sum} bytes are more than ${most}`);
});
