// The engine stays small.
import assert from "node:assert/strict";
import { test } from "node:test";

import { gzippedSizes } from "./support.mjs";

const most = 250_000;

test("the engine is small", (context) => {
  const { all, text } = gzippedSizes();
  context.diagnostic(text);
  assert.ok(all <= most, `${text}: more than ${most}`);
});
