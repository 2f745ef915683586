/**
 * Calls the library with wrong arguments, as a caller in JavaScript may. Each call throws an error of one line that
 * names the argument, what was expected and what came. src/cli/wrong-inputs.test.ts does this for the command line.
 */
import { expect, test } from "vitest";
import * as bowline from "../../src/index.ts";

/** The library as a caller without type checks sees it. */
type UntypedLibrary = { readonly [name: string]: (...args: readonly unknown[]) => unknown };
const library = bowline as unknown as UntypedLibrary;
const noop = { policy: "noop", world: "toy", split: "dev" };

const WRONG_CALLS: readonly (readonly [name: string, args: readonly unknown[], message: RegExp])[] =
  [
    [
      "resolveConfig",
      ["smoke"],
      /resolveConfig: expected an object with recipe, method, overrides, got "smoke"/,
    ],
    ["resolveConfig", [null], /resolveConfig: expected an object .* got null/],
    [
      "resolveConfig",
      [{ recipie: "smoke" }],
      /resolveConfig: .*got "recipie" \(did you mean recipe\?\)/,
    ],
    ["resolveConfig", [{ recipe: 3 }], /recipe: expected the name of a setting or recipe, got 3/],
    ["resolveConfig", [{ recipe: "smok" }], /unknown recipe "smok" \(did you mean smoke\?\)/],
    ["resolveConfig", [{ method: 3 }], /method: expected a name or a method, got 3/],
    ["resolveConfig", [{ method: "lop" }], /unknown method "lop" \(did you mean loop\?\)/],
    [
      "resolveConfig",
      [{ method: {} }],
      /method: expected .* to be a method, as defineMethod\(\) returns it/,
    ],
    [
      "resolveConfig",
      [{ overrides: ["algo.clip"] }],
      /overrides: expected an object of fields.* got \["algo\.clip"\]/,
    ],
    [
      "resolveConfig",
      [{ overrides: { "algo.clp": 1 } }],
      /unknown field algo\.clp \(did you mean algo\.clip\?\)/,
    ],
    [
      "resolveConfigForModel",
      ["smoke"],
      /resolveConfigForModel: expected an object with recipe, method, overrides/,
    ],
    ["resolveConfigForModel", [{ overrides: { "algo.clp": 1 } }], /unknown field algo\.clp/],
    ["loadPolicy", [], /policy: expected a run directory, .* got nothing/],
    ["loadPolicy", ["runs/none"], /unknown policy runs\/none: expected a run directory/],
    [
      "loadPolicy",
      [".", { scafold: "" }],
      /loadPolicy\(\): .* "scafold" \(did you mean scaffold\?\)/,
    ],
    [
      "evaluate",
      [{ ...noop, scaffold: 5 }],
      /scaffold: expected a name, the path of a module, or a fun/,
    ],
    [
      "loadMethod",
      [],
      /method: expected the name of a method, or the path of a module, got nothing/,
    ],
    [
      "resolveWorld",
      [],
      /world: expected the name of a world, or the path of a module, got nothing/,
    ],
    ["resolveWorld", ["everydya"], /unknown world "everydya" \(did you mean everyday\?\)/],
    [
      "openModelDirectory",
      [],
      /the model: expected the path of a folder or of a GGUF file, got nothing/,
    ],
    ["writeReport", [], /the run: expected the path of a run directory, got nothing/],
    ["writeReport", ["/nonexist"], /run \/nonexist does not exist/],
    ["train", [], /options of train\(\): expected an object with out/],
    [
      "train",
      [bowline.resolveConfig(), { ot: "x" }],
      /options of train\(\): .*got "ot" \(did you mean out\?\)/,
    ],
    [
      "train",
      ["smoke", { out: "x" }],
      /expected a configuration, such as resolveConfig\(\) returns, got "smoke"/,
    ],
    ["evaluate", [], /options of evaluate\(\): expected an object with policy/],
    [
      "evaluate",
      [{ ...noop, policy: undefined }],
      /policy: expected a run directory, .* got nothing/,
    ],
    ["evaluate", [{ ...noop, policy: "nop" }], /unknown policy nop \(did you mean noop\?\)/],
    [
      "evaluate",
      [{ ...noop, split: "dv" }],
      /split: expected train, .*got "dv" \(did you mean dev\?\)/,
    ],
    ["evaluate", [{ ...noop, scenaros: 2 }], /got "scenaros" \(did you mean scenarios\?\)/],
    ["evaluate", [{ ...noop, scenarios: -1 }], /scenarios: expected a whole number from 1/],
    [
      "evaluate",
      [{ ...noop, seed: 1.5 }],
      /seed: expected a whole number from 0 to 4294967295, got 1\.5/,
    ],
    [
      "evaluate",
      [{ ...noop, temperature: -1 }],
      /temperature: expected a number of at least 0, got -1/,
    ],
    [
      "evaluate",
      [{ ...noop, dials: { apiErors: 1 } }],
      /dials: .*"apiErors" \(did you mean apiErrors\?\)/,
    ],
    ["openWorld", [], /world: expected the URL of a module.* got nothing/],
    ["openWorld", [bowline.resolveWorld("toy").url, {}], /seed: expected a whole number from 0/],
    [
      "openWorld",
      [bowline.resolveWorld("toy").url, { seed: -1 }],
      /seed: expected a whole number from 0 to 4294967295, got -1/,
    ],
    ["openWorld", [bowline.resolveWorld("toy").url, { seed: 1.5 }], /seed: .* got 1\.5/],
    ["checkWorld", [], /world: expected|options of checkWorld: expected an object/],
  ];

test.each(WRONG_CALLS)("%s(%j) is refused with one line", async (name, args, message) => {
  const call = async () => library[name]?.(...args);
  const error = await call().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(bowline.BowlineError);
  expect(String((error as Error).message)).toMatch(message);
  expect(String((error as Error).message)).not.toContain("\n");
});
