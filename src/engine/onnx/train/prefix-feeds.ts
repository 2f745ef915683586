/** Passes keys and values of a shared prefix to the whole graph, and their cotangents back. */
import { type Feeds, floatOutput, type TensorData, tensor } from "../graph/index.ts";
import type { ModelConfig } from "../model/index.ts";
import { GRADIENT_PREFIX } from "./gradient-sums.ts";
import { addInto, type PrefixActivations } from "./layered/index.ts";
import { prefixInputNames } from "./training-graph.ts";

type Results = Readonly<Record<string, TensorData>>;

/** Returns the additional feeds of a graph whose rows follow a shared prefix. */
export function prefixFeeds(
  { kvHeads, headSize }: ModelConfig,
  { layers }: PrefixActivations,
): Feeds {
  const feeds = layers.flatMap(({ keyValues: own }, layer) => {
    const dims = [own.key.length / (kvHeads * headSize), kvHeads, headSize];
    const { key, value } = prefixInputNames(layer);
    return [
      [key, tensor(own.key, dims)],
      [value, tensor(own.value, dims)],
    ] as const;
  });
  return Object.fromEntries(feeds);
}

/** Adds the cotangents of a microbatch's rows to those of the prefix that they share. */
export function addPrefixCotangents({ layers }: PrefixActivations, results: Results): void {
  for (const [layer, { cotangent }] of layers.entries()) {
    const { key, value } = prefixInputNames(layer);
    addInto(cotangent.key, 0, floatOutput(results, GRADIENT_PREFIX + key));
    addInto(cotangent.value, 0, floatOutput(results, GRADIENT_PREFIX + value));
  }
}
