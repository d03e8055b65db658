// Bundles the unit tests for Node.
import { build } from "esbuild";
await build({
    entryPoints: ["tests/unit/unit.test.ts"], outfile: "../build/page/unit.test.mjs", bundle: true, platform: "node",
    format: "esm", target: "node18", logLevel: "warning",
});
