/**
 * A program that trains the tiny run in the folder that its argument names, or continues it. An error is printed like
 * the command line does, and a bug with its stack.
 */
import { readFileSync } from "node:fs";
import { FAKE_RUN, fakeMakers } from "../../dist/testing/fake-makers.js";
import { resolveConfig, trainWith } from "../../dist/train/index.js";

const fields = JSON.parse(readFileSync(new URL("tiny-run.json", import.meta.url), "utf8"));
const config = resolveConfig({ recipe: "smoke", overrides: { ...FAKE_RUN, ...fields } });
try {
  await trainWith(fakeMakers(), config, { out: process.argv[2] });
} catch (error) {
  console.error(error.name === "BowlineError" ? `error: ${error.message}` : error);
  process.exitCode = 1;
}
