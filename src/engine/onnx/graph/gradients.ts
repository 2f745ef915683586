/**
 * Reverse-mode differentiation: walks the steps backwards from outputs whose cotangents are given, adds up what
 * reaches each value, and stops at the values that were asked for.
 */
import { assert } from "../../../core/index.ts";
import type { Graph, Step, Value } from "./graph.ts";
import { plus } from "./linear.ts";
import { sameShape, show } from "./shapes.ts";

export interface Seed {
  readonly output: Value;
  /** d(objective)/d(output); the same shape. */
  readonly cotangent: Value;
}

/**
 * d(sum of cotangent * output)/d(value) for each value in `wrt`. Values in `wrt` are leaves: nothing flows past
 * them, so asking for an intermediate cuts the graph there. Throws when one of them is not reached.
 * `sums` (name of a value in `wrt` to a value of its shape) are added to the results.
 */
export function gradients(
  seeds: readonly Seed[],
  wrt: readonly Value[],
  sums: ReadonlyMap<string, Value> = new Map(),
): Value[] {
  const graph = seeds[0]!.output.graph;
  const cotangents = new Map(sums);
  const accumulate = (value: Value, cotangent: Value) => {
    assert(
      sameShape(value.shape, cotangent.shape),
      `a cotangent of shape ${show(cotangent.shape)} for ${value.name} of shape ${show(value.shape)}`,
    );
    const known = cotangents.get(value.name);
    cotangents.set(value.name, known ? plus(known, cotangent) : cotangent);
  };
  for (const { output, cotangent } of seeds) accumulate(output, cotangent);
  const leaves = new Set(wrt.map((value) => value.name));
  for (const step of relevantSteps(graph, leaves)) {
    const incoming = step.outputs.map((output) => cotangents.get(output.name));
    if (incoming.every((cotangent) => cotangent === undefined)) continue;
    step.backward(incoming).forEach((cotangent, i) => {
      if (cotangent) accumulate(step.inputs[i]!, cotangent);
    });
  }
  return wrt.map((value) => {
    const cotangent = cotangents.get(value.name);
    assert(cotangent && cotangent !== sums.get(value.name), `no output depends on ${value.name}`);
    return cotangent;
  });
}

/** The steps that depend on a leaf, last first; a snapshot, because backward rules append steps. */
function relevantSteps(graph: Graph, leaves: ReadonlySet<string>): Step[] {
  const reached = new Set(leaves);
  const steps = graph.steps.filter((step) => {
    if (step.outputs.some((output) => leaves.has(output.name))) return false;
    if (!step.inputs.some((input) => reached.has(input.name))) return false;
    for (const output of step.outputs) reached.add(output.name);
    return true;
  });
  return steps.reverse();
}
