/** Shows the result of a comparison in sections, with the tables that `bowline compare` prints. */
import {
  armCurves,
  armDifferenceTable,
  armScoreTable,
  comparisonCaptions,
  formatPercent,
  primaryTestTable,
} from "../../../report/index.ts";
import type { Comparison } from "../../../train/index.ts";
import { makeSection, type Section } from "./section.ts";

/** Builds the sections of a comparison. Where it is one of several, the titles name its setting, world and budget. */
export function buildComparisonSections(
  comparison: Comparison,
  isOneOfSeveral: boolean,
): Section[] {
  const { world, setting, rollouts, primary, arms, leftOut } = comparison;
  const titleSuffix = isOneOfSeveral ? ` (${setting} on ${world.name}, ${rollouts} rollouts)` : "";
  const leftOutNotes = leftOut.map(({ recipe, why }) => `left out: ${recipe}: ${why}`);
  const all = [
    makeSection(`Scores${titleSuffix}`, armScoreTable(comparison), [
      ...comparisonCaptions(comparison),
      ...leftOutNotes,
    ]),
    ...(primary.length > 0
      ? [
          makeSection(`Tests fixed before the runs${titleSuffix}`, primaryTestTable(primary), [
            "TGC (the percentage of tasks whose checks all pass) on test-normal, compared by a paired t test over runs. Differences are in percentage points.",
          ]),
        ]
      : []),
    ...(arms.length > 1 ? [buildDifferencesSection(comparison, titleSuffix)] : []),
    ...buildCurvesSection(comparison, titleSuffix),
  ];
  return all;
}

function buildDifferencesSection(comparison: Comparison, titleSuffix: string): Section {
  const { reference, single, ...table } = armDifferenceTable(comparison);
  const note = `Percentage points [95% interval over pairs of runs${single ? "; *: there is one pair, so over its scenarios" : ""}]; exploratory.`;
  return makeSection(`TGC minus that of ${reference}${titleSuffix}`, table, [note]);
}

/** Returns a list with the section of curves, or an empty list if no arm was evaluated on dev. */
function buildCurvesSection(comparison: Comparison, titleSuffix: string): Section[] {
  const all = armCurves(comparison);
  if (all.length === 0) return [];
  const maxLength = Math.max(...all.map(({ values }) => values.length));
  const numbers = Array.from({ length: maxLength }, (_, i) => `evaluation ${i + 1}`);
  return [
    makeSection(
      `TGC on dev by rollouts spent${titleSuffix}`,
      {
        columns: ["arm", ...numbers].map((title) => ({ title })),
        rows: all.map(({ name, values, at }) => [
          name,
          ...numbers.map((_, i) =>
            values[i] === undefined ? "" : `${formatPercent(values[i])} at ${at[i]}%`,
          ),
        ]),
      },
      ["In percent, sampled greedily, mean over runs, each after the given share of the rollouts."],
    ),
  ];
}
