/** Tests that a configuration which contradicts itself is refused once, with all parts and with values that cure all. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BowlineError, type Cure } from "../../core/index.ts";
import { resolveConfig, withCure } from "./resolve.ts";

/** Overrides that contradict each other or a default of `smoke`, and what the refusal says of them. */
const CONTRADICTIONS: readonly (readonly [overrides: Record<string, unknown>, says: RegExp])[] = [
  [
    { "scaffold.maxTokens": 400, "model.contextLength": 100 },
    /scaffold\.maxTokens: expected at most/,
  ],
  [{ "warm.demonstrations": 8, "warm.rows": 64 }, /warm\.demonstrations: expected 0 or at least/],
  [{ "model.heads": "5" }, /model\.heads: expected a divisor/],
  [{ "engine.lora.rank": 900 }, /engine\.lora\.rank: expected at most model\.hiddenSize \(64\)/],
  [{ "engine.url": "http://127.0.0.1:1" }, /engine\.url exists only where engine\.name is tinker/],
  [{ "algo.stragglers.groupShare": 0.1 }, /algo\.stragglers\.groupShare: expected a share/],
  [{ "budget.ceiling": 1 }, /budget\.ceiling: expected a price/],
  [{ "algo.taskSampling": "unifrm" }, /algo\.taskSampling: .*did you mean uniform/],
  [{ "context.kind": "summary", "context.tokens": 5000 }, /context\.tokens.*scaffold\.maxTokens/],
  [{ "memory.kind": "q-values", "memory.items": 9 }, /memory\.items.*memory\.candidates/],
  [{ "participants.trainedUser": true }, /participants\.trainedUser/],
];

function refuse(overrides: object): BowlineError {
  try {
    resolveConfig({ recipe: "smoke/on-policy", overrides });
  } catch (error) {
    if (BowlineError.is(error)) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

test("every subset of contradictions is refused with all of its parts, and the cure is accepted", () => {
  const someContradictions = fc.subarray([...CONTRADICTIONS], { minLength: 1 });
  fc.assert(
    fc.property(someContradictions, (chosen) => {
      const overrides = Object.assign({}, ...chosen.map(([one]) => one));
      const { message, cure } = refuse(overrides);
      for (const [, says] of chosen) expect(message).toMatch(says);
      const input = { recipe: "smoke/on-policy", overrides };
      expect(() => resolveConfig(withCure(input, cure as Cure))).not.toThrow();
    }),
    { numRuns: 12, examples: [[[...CONTRADICTIONS]]] },
  );
});

test("a part that no value cures leaves the error without a cure, and the other parts are still named", () => {
  const overrides = { "warm.demonstrations": 8, "warm.rows": 64, "engine.name": "zzz" };
  const { message, cure } = refuse(overrides);
  expect(message).toMatch(/engine\.name: expected onnx, tinker/);
  expect(cure).toBeUndefined();
});
