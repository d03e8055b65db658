// Builds the package into dist: types with tsc, JavaScript with esbuild. The WebAssembly module must be there.
import { build } from "esbuild";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";

const wasm = "../build/wasm/js/engine/sprig.wasm";
if (!existsSync(wasm)) throw new Error(`${wasm} is missing; scripts/js build makes it`);
rmSync("dist", { recursive: true, force: true });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "."], { stdio: "inherit" });
await build({
  entryPoints: ["src/index.ts", "src/worker.ts"],
  outdir: "dist",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
});
copyFileSync(wasm, "dist/sprig.wasm");
copyFileSync("../LICENSE", "LICENSE"); // npm packs only what lies here

// The licences of what the module holds, as Debian has them.
const held = ["nlohmann-json3-dev", "libfmt-dev", "librandom123-dev", "emscripten"];
const texts = held.map((name) => `\n\n==== ${name}\n\n${readFileSync(`/usr/share/doc/${name}/copyright`, "utf8")}`);
writeFileSync("dist/licenses.txt", readFileSync("NOTICE", "utf8") + texts.join(""));
