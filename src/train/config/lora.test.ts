/** Tests that LoRA fields of a configuration become engine options, and that wrong ones are rejected. */
import { expect, test } from "vitest";
import { resolveConfig } from "../settings/resolve.ts";
import { toLoraOptions } from "./lora.ts";

function resolveLoraOptions(overrides: Record<string, unknown>) {
  const { engine } = resolveConfig({ overrides });
  return "lora" in engine ? toLoraOptions(engine.lora) : undefined;
}

test("without LoRA fields, all weights are trained", () => {
  expect(resolveLoraOptions({})).toBeUndefined();
});

test("LoRA flags become engine options, with the modules in a fixed order", () => {
  expect(resolveLoraOptions({ "engine.lora.rank": "8" })).toEqual({
    rank: 8,
    alpha: 16,
    targetModules: "all-linear",
  });
  const flags = { "engine.lora.rank": 4, "engine.lora.alpha": "2" };
  expect(resolveLoraOptions({ ...flags, "engine.lora.target-modules": "v_proj, q_proj" })).toEqual({
    rank: 4,
    alpha: 2,
    targetModules: ["q_proj", "v_proj"],
  });
});

test("the rank may be as large as the model's hidden size, and no larger", () => {
  expect(resolveLoraOptions({ "engine.lora.rank": 128 })).toMatchObject({ rank: 128 });
});

test.each<[Record<string, unknown>, RegExp]>([
  [{ rank: -1 }, /engine\.lora\.rank: expected an integer from 1/],
  [{ rank: 129 }, /engine\.lora\.rank: expected at most model\.hiddenSize \(128\), got 129/],
  [{ rank: 4, targetModules: "q_prj" }, /targetModules: .*"q_prj" \(did you mean q_proj\?\)/],
  [
    { rank: 4, targetModules: "" },
    /targetModules: expected all-linear, or a list of modules from q_proj/,
  ],
  [{ alpha: -8 }, /engine\.lora\.alpha: expected a number from 0\.001/],
  [{ rank: 4, dropout: 0.1 }, /unknown field engine\.lora\.dropout/],
])("rejects the LoRA fields %o", (lora, words) => {
  expect(() => resolveLoraOptions({ engine: { lora } })).toThrow(words);
});

test("a base of fewer bits needs LoRA", () => {
  const flags = { "engine.base": "q4" };
  expect(() => resolveLoraOptions(flags)).toThrow(
    /engine\.base: q4 freezes the weights.*engine\.lora/,
  );
  expect(resolveLoraOptions({ ...flags, "engine.lora": "true" })).toMatchObject({ rank: 16 });
});
