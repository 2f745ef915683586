/**
 * Derives the length to which observations are cut. A cut hides results from the policy, so it is raised when too many
 * demonstrations have an observation that it shortens. It comes before all other limits, because it changes the texts
 * that the tokenizer is trained on, and the lengths of rows.
 */
import type { Demonstration, Scaffold, Tokenizer } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import type { FittedLimit } from "../config/limits.ts";
import { createScaffold } from "../parts/agent.ts";
import { readLimits, withLimits } from "./apply-fitting.ts";
import { describeValue, type FittedValue, type FittingRules, quantile } from "./fit-limits.ts";

/**
 * A cut is raised at most to this many times its value. Beyond that, the observations of a world are rather too long
 * than the cut too short, and every token of an observation costs time and context.
 */
const LARGEST_RAISE = 4;

/** The largest values of the fields, with which nothing is cut. */
const UNCUT: ReadonlyMap<FittedLimit, number> = new Map([
  ["scaffold.maxObservationCharacters", 10_000_000],
  ["scaffold.maxObservationLines", 1_000_000],
  ["scaffold.maxObservationTokens", 131_072],
]);

/** Returns the configuration with a cut that suits the demonstrations, and what each of its fields loses. */
export function fitObservations(
  config: Config,
  demonstrations: readonly Demonstration[],
  rules: Pick<FittingRules, "share" | "keep">,
  tokenizer?: Tokenizer,
): { readonly config: Config; readonly values: readonly FittedValue[] } {
  const cuts = [...readLimits(config)].filter(([limit]) => UNCUT.has(limit));
  if (cuts.length === 0 || demonstrations.length === 0) return { config, values: [] };
  const uncut = createScaffold(withLimits(config, uncutValues(cuts)), tokenizer);
  const measures = measuresOfText(tokenizer);
  const values = cuts.map(([limit, before]) => {
    const needs = demonstrations.map((demonstration) =>
      measureLongest(demonstration, uncut, measures[limit]!),
    );
    const isKept = rules.keep.includes(limit);
    const after = isKept || rules.share === null ? before : raiseCut(needs, before, rules.share);
    return describeValue(limit, needs, { before, after, isKept });
  });
  const after = new Map(values.map(({ limit, after: value }) => [limit, value]));
  return { config: withLimits(config, after), values };
}

const uncutValues = (cuts: readonly (readonly [FittedLimit, number])[]) =>
  new Map(cuts.map(([limit]) => [limit, UNCUT.get(limit)!]));

type MeasureText = (text: string) => number;

function measuresOfText(tokenizer: Tokenizer | undefined): {
  readonly [limit: string]: MeasureText;
} {
  return {
    "scaffold.maxObservationCharacters": (text) => text.length,
    "scaffold.maxObservationLines": (text) => text.split("\n").length,
    "scaffold.maxObservationTokens": (text) => tokenizer?.encode(text).length ?? 0,
  };
}

/** Returns the measure of a demonstration's longest observation. Nobody reads the one after the last turn. */
function measureLongest(
  { task, turns }: Demonstration,
  scaffold: Scaffold,
  measure: MeasureText,
): number {
  const place = { maxTurns: turns.length };
  const lengths = turns
    .slice(0, -1)
    .map(({ result }, i) =>
      measure(scaffold.observe(task, result, { ...place, turn: i + 1 }).content),
    );
  return Math.max(0, ...lengths);
}

function raiseCut(needs: readonly number[], before: number, share: number): number {
  if (quantile(needs, share) <= before) return before;
  return Math.min(quantile(needs, Math.max(share, 0.99)), before * LARGEST_RAISE);
}
