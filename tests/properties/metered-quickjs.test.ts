import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

test("wasm/quickjs-metered.wasm is what its script makes from the installed QuickJS", () => {
  const script = join(import.meta.dirname, "../../wasm/meter-quickjs.mjs");
  const printed = execFileSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect(printed).toMatch(/^\d+ bytes\n$/);
});
