// Bundles the page into dist. `scripts/page build` calls it when the engine and the demonstration are there.
import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

/** A file that has not changed keeps its date, so that nothing is built again that contains it. */
function write(name, content) {
    const path = `dist/${name}`;
    if (!existsSync(path) || !readFileSync(path).equals(Buffer.from(content))) writeFileSync(path, content);
}

async function bundle(options) {
    const { outputFiles } = await build({
        bundle: true, format: "esm", target: "es2022", minify: true, legalComments: "none", logLevel: "warning",
        write: false, outdir: "dist", ...options,
    });
    for (const file of outputFiles) write(file.path.split("/").at(-1), file.contents);
}

mkdirSync("dist", { recursive: true });
await bundle({ entryPoints: { page: "src/main.ts", network: "src/experiment/network_worker.ts" } });
await bundle({ entryPoints: { page: "src/style/page.css" } });
for (const file of ["index.html", "icon.svg", "../js/dist/worker.js", "../js/dist/sprig.wasm", "../js/dist/licenses.txt",
                    "../build/page/demo.bytes", "../build/page/digits.bin"])
    write(file.split("/").at(-1), readFileSync(file));
