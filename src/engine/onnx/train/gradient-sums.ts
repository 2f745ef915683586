/** The names under which graphs take the gradients so far and return their sums with new ones. */
import { type Graph, hasDeviceMemory, mul, type Value } from "../graph/index.ts";

/** The name prefix of the inputs to which gradients are added. */
export const SUM_PREFIX = "sum:";

/** The name prefix of the outputs that hold gradients. The name of a weight's or adapter's input follows. */
export const GRADIENT_PREFIX = "d:";

/** The input of the factor of all gradients so far on a device, float32 (), always 1. */
export const KEEP_INPUT = "keep";

/**
 * Declares inputs with the gradients so far. Products add to them, so no gradient is ever summed outside the graph. On
 * a device the sum may be written over its input, and the kernel that writes it must not read it, so it is first
 * multiplied by 1.
 */
export function declareSums(graph: Graph, wrt: readonly Value[]): ReadonlyMap<string, Value> {
  const keep = hasDeviceMemory() ? graph.addInput(KEEP_INPUT, "float32", []) : undefined;
  return new Map(
    wrt.map(({ name, shape }) => {
      const sum = graph.addInput(SUM_PREFIX + name, "float32", shape);
      return [name, keep ? mul(sum, keep) : sum] as const;
    }),
  );
}

/** Declares the gradients of values as outputs. */
export function addGradientOutputs(
  graph: Graph,
  wrt: readonly Value[],
  derivatives: readonly Value[],
): void {
  for (const [i, { name }] of wrt.entries())
    graph.addOutput(GRADIENT_PREFIX + name, derivatives[i]!);
}
