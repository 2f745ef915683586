/**
 * Reverse-mode differentiation: walks the steps backwards from outputs whose cotangents are given, adds up the
 * cotangents that reach each value, and stops at the requested values.
 */
import { assert } from "../../../core/index.ts";
import type { DifferentiableStep, Graph, Value } from "./graph.ts";
import { addToSum } from "./linear.ts";
import { formatShape, isSameShape } from "./shapes.ts";

/** A graph output and the cotangent from which differentiation starts. */
export interface OutputCotangent {
  readonly output: Value;
  /** d(objective)/d(output), in the shape of the output. */
  readonly cotangent: Value;
}

/**
 * Adds nodes that compute d(sum of cotangent * output)/d(value) for each value in `wrt`, and returns these gradients.
 * Values in `wrt` are leaves: nothing flows past them, so an intermediate value in `wrt` cuts the graph there. Throws
 * when a value in `wrt` is not reached. `sums` maps names in `wrt` to values of the same shape that are added to the
 * results.
 */
export function buildGradients(
  seeds: readonly OutputCotangent[],
  wrt: readonly Value[],
  sums: ReadonlyMap<string, Value> = new Map(),
): Value[] {
  const graph = seeds[0]!.output.graph;
  const cotangents = new Map(sums);
  const accumulate = (value: Value, cotangent: Value) => {
    assert(
      isSameShape(value.shape, cotangent.shape),
      `a cotangent of shape ${formatShape(cotangent.shape)} for ${value.name} of shape ${formatShape(value.shape)}`,
    );
    const known = cotangents.get(value.name);
    cotangents.set(value.name, known ? addToSum(known, cotangent) : cotangent);
  };
  for (const { output, cotangent } of seeds) accumulate(output, cotangent);
  const leaves = new Set(wrt.map((value) => value.name));
  for (const step of stepsDependingOn(graph, leaves)) {
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

/** Returns the steps that depend on a leaf, last first. It is a snapshot, because backward rules append steps. */
function stepsDependingOn(graph: Graph, leaves: ReadonlySet<string>): DifferentiableStep[] {
  const reached = new Set(leaves);
  const steps = graph.steps.filter((step) => {
    if (step.outputs.some((output) => leaves.has(output.name))) return false;
    if (!step.inputs.some((input) => reached.has(input.name))) return false;
    for (const output of step.outputs) reached.add(output.name);
    return true;
  });
  return steps.reverse();
}
