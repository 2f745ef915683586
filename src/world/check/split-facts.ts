/** Adds up what reference solutions need over the tasks of a split, for `bowline world stats`. */
import type { SolutionMeasure } from "./measure-solution.ts";

/** Facts of a split's reference solutions. Means are over tasks; shares are in 0..1. */
export interface SplitFacts {
  /** APIs that were tried and found needless are not counted. */
  readonly distinctApis: { readonly mean: number; readonly max: number };
  /** The mean numbers of a solution. */
  readonly calls: number;
  readonly apps: number;
  readonly statements: number;
  /** The shares of tasks whose solution fails without waiting, asking the owner, and reading sentences. */
  readonly waits: number;
  readonly asks: number;
  readonly prose: number;
  /** The tasks in which each API was refused once, and how many of their APIs the solution needs. */
  readonly necessity: { readonly tasks: number; readonly apis: number; readonly needed: number };
  readonly max: { readonly calls: number; readonly apps: number; readonly statements: number };
}

/** Adds up the measures of at least one task. */
export function computeSplitFacts(measures: readonly SolutionMeasure[]): SplitFacts {
  const mean = (of: (measure: SolutionMeasure) => number) =>
    round(measures.reduce((sum, measure) => sum + of(measure), 0) / measures.length);
  const max = (of: (measure: SolutionMeasure) => number) => Math.max(...measures.map(of));
  const countApis = ({ apis, needless = [] }: SolutionMeasure) => apis.length - needless.length;
  const tried = measures.filter(({ needless }) => needless !== undefined);
  const sum = (of: (measure: SolutionMeasure) => number) =>
    tried.reduce((total, measure) => total + of(measure), 0);
  return {
    distinctApis: { mean: mean(countApis), max: max(countApis) },
    calls: mean(({ calls }) => calls),
    apps: mean(({ apps }) => apps),
    statements: mean(({ statements }) => statements),
    waits: mean(({ needsWaiting }) => Number(needsWaiting)),
    asks: mean(({ needsAsking }) => Number(needsAsking)),
    prose: mean(({ needsProse }) => Number(needsProse)),
    necessity: {
      tasks: tried.length,
      apis: sum(({ apis }) => apis.length),
      needed: sum(countApis),
    },
    max: {
      calls: max(({ calls }) => calls),
      apps: max(({ apps }) => apps),
      statements: max(({ statements }) => statements),
    },
  };
}

const round = (value: number) => Math.round(value * 1000) / 1000;
