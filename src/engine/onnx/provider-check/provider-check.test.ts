import { describe, expect, test } from "vitest";
import { getProvider, setProvider } from "../graph/index.ts";
import { describeProblem, findProviderProblem, requireTrustedProvider } from "./check-provider.ts";
import { describeFault, findFaults, measureDeviations } from "./compare-outputs.ts";
import { type Comparison, digestGraphs } from "./compare-with-cpu.ts";
import { runDecoder } from "./decoder-case.ts";
import { OPERATOR_CASES, type Outputs, runOperatorCase } from "./operator-cases.ts";

const agreement: Comparison = {
  faults: [],
  failures: [],
  largest: 1e-7,
  repeatsItsBits: true,
  keepsBitsInBatch: true,
  seconds: 1,
};

describe("the comparison of outputs", () => {
  const cpu: Outputs = { y: Float32Array.of(3, 4), id: Int32Array.of(1, 2) };

  test("rounding is no fault, and a difference of a hundredth is one that names operator and output", () => {
    const nearly = { ...cpu, y: Float32Array.of(3, 4.0001) };
    expect(findFaults(measureDeviations("Exp", cpu, nearly))).toEqual([]);
    const wrong = { ...cpu, y: Float32Array.of(3, 4.05) };
    const [fault, ...others] = findFaults(measureDeviations("Exp", cpu, wrong));
    expect(others).toEqual([]);
    expect(describeFault(fault!)).toBe(
      "Exp: y differs by 0.010 of its size (expected at most 0.001)",
    );
  });

  test.each<[string, Outputs]>([
    ["a number that is not finite", { ...cpu, y: Float32Array.of(3, Number.NaN) }],
    ["another integer", { ...cpu, id: Int32Array.of(1, 3) }],
    ["an output of another length", { ...cpu, y: Float32Array.of(3) }],
    ["a missing output", { id: cpu["id"]! }],
  ])("%s is a fault", (_, other) => {
    expect(findFaults(measureDeviations("Exp", cpu, other))).toHaveLength(1);
  });
});

test("a problem is told in the words of its first fault, and a failure comes before deviations", () => {
  expect(describeProblem(agreement)).toBeUndefined();
  const faults = [{ of: "Gemm", output: "y", relative: 0.5 }];
  expect(describeProblem({ ...agreement, faults })).toMatch(
    /^Gemm: y differs by 0\.50 of its size/,
  );
  expect(describeProblem({ ...agreement, faults, failures: ["Pad: not there"] })).toBe(
    "Pad: not there, and 1 more",
  );
});

test("the CPU agrees with itself in every operator and in the decoder", async () => {
  for (const one of OPERATOR_CASES) {
    const [first, second] = [await runOperatorCase(one), await runOperatorCase(one)];
    for (const { of, relative } of measureDeviations(one.operator, first, second)) {
      expect({ of, relative }).toEqual({ of, relative: 0 });
    }
    // An output of zeros would agree with anything.
    for (const data of Object.values(first))
      expect([...data].some((value) => value !== 0)).toBe(true);
  }
  const { parts, repeatsItsBits, keepsBitsInBatch } = await runDecoder();
  expect({ repeatsItsBits, keepsBitsInBatch }).toEqual({
    repeatsItsBits: true,
    keepsBitsInBatch: true,
  });
  expect(Object.keys(parts)).toEqual(["whole training graph", "layered training", "sampling"]);
});

test("the digest of the graphs depends on the provider and leaves the thread's provider as it was", () => {
  setProvider("cpu");
  expect(digestGraphs("cpu")).toBe(digestGraphs("cpu"));
  expect(digestGraphs("webgpu")).not.toBe(digestGraphs("cpu"));
  expect(getProvider()).toBe("cpu");
});

test("the CPU is trusted without a comparison, and a provider that this build lacks is refused in one line", async () => {
  await requireTrustedProvider("cpu");
  const missing = process.platform === "darwin" ? "cuda" : "coreml";
  const refusal = expect.objectContaining({
    code: "config",
    message: expect.stringMatching(/^engine\.provider: .* cannot be used on [^\n]*$/),
  });
  await expect(requireTrustedProvider(missing)).rejects.toEqual(refusal);
  expect(await findProviderProblem(missing)).toMatch(/cannot be used/);
});
