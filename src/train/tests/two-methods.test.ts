/** Tests that a method which is passed to `train()` belongs only to that run, and that other runs do not find it. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SMALL_RUN } from "../../../tests/support/watched-run.ts";
import { defineVariant, loop, type Method } from "../../methods/index.ts";
import { createMemoryFolder, fakeMakers } from "../../testing/fake-makers.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-two-methods-");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Creates a copy of LOOP with the name `mine`, which records its calls in `calls`. */
function createMethodNamedMine(calls: string[], label: string): Method {
  const method: Method = defineVariant(loop, { name: "mine", summary: label });
  return {
    ...method,
    conflict: () => {
      calls.push(`${label} checks`);
      return undefined;
    },
    collect: (tasks, iteration) => {
      calls.push(`${label} collects`);
      return method.collect(tasks, iteration);
    },
  };
}

test("two runs in one process use their own methods, although both methods have the same name", async () => {
  const calls: { [run: string]: string[] } = { a: [], b: [] };
  const runs = Object.entries(calls).map(([label, own]) => {
    const method = createMethodNamedMine(own, label);
    const config = resolveConfig({ recipe: "smoke", method, overrides: SMALL_RUN });
    return { label, method, config };
  });
  await Promise.all(
    runs.map(({ label, method, config }) =>
      trainWith(fakeMakers(), config, { out: join(root, label), method }),
    ),
  );
  for (const [label, own] of Object.entries(calls)) {
    expect(new Set(own)).toEqual(new Set([`${label} checks`, `${label} collects`]));
  }
});

test("a run does not find a method that was passed to an earlier run", async () => {
  const method = createMethodNamedMine([], "a");
  const config = resolveConfig({ recipe: "smoke", method, overrides: SMALL_RUN });
  await trainWith(fakeMakers(), config, { out: join(root, "first"), method });
  const second = trainWith(fakeMakers(), config, { out: join(root, "second") });
  await expect(second).rejects.toThrow(/unknown method "mine"/);
  expect(existsSync(join(root, "second"))).toBe(false);
});
