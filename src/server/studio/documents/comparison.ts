/** Shows the result of a comparison in sections, with the tables that `bowline compare` prints. */
import {
  armCurves,
  armDifferences,
  armScores,
  comparisonCaptions,
  percent,
  primaryTests,
} from "../../../report/index.ts";
import type { Comparison } from "../../../train/index.ts";
import { makeSection, type Section } from "./section.ts";

/** Builds the sections of a comparison. Where it is one of several, the titles name its setting, world and budget. */
export function comparisonSections(comparison: Comparison, isOneOfSeveral: boolean): Section[] {
  const { world, setting, rollouts, primary, arms, leftOut } = comparison;
  const which = isOneOfSeveral ? ` (${setting} on ${world.name}, ${rollouts} rollouts)` : "";
  const out = leftOut.map(({ recipe, why }) => `left out: ${recipe}: ${why}`);
  const all = [
    makeSection(`Scores${which}`, armScores(comparison), [
      ...comparisonCaptions(comparison),
      ...out,
    ]),
    ...(primary.length > 0
      ? [
          makeSection(`Fixed beforehand${which}`, primaryTests(primary), [
            "Paired t test over runs of test-normal TGC, points.",
          ]),
        ]
      : []),
    ...(arms.length > 1 ? [buildDifferencesSection(comparison, which)] : []),
    buildCurvesSection(comparison, which),
  ];
  return all;
}

function buildDifferencesSection(comparison: Comparison, which: string): Section {
  const { reference, single, ...table } = armDifferences(comparison);
  const note = `Points [95% over pairs of runs${single ? "; *: one pair, over its scenarios" : ""}]; exploratory.`;
  return makeSection(`TGC to ${reference}${which}`, table, [note]);
}

function buildCurvesSection(comparison: Comparison, which: string): Section {
  const all = armCurves(comparison);
  const maxLength = Math.max(0, ...all.map(({ values }) => values.length));
  const numbers = Array.from({ length: maxLength }, (_, i) => `evaluation ${i + 1}`);
  return makeSection(
    `TGC on dev by rollouts spent${which}`,
    {
      columns: ["arm", ...numbers].map((title) => ({ title })),
      rows: all.map(({ name, values, at }) => [
        name,
        ...numbers.map((_, i) =>
          values[i] === undefined ? "" : `${percent(values[i])} at ${at[i]}%`,
        ),
      ]),
    },
    ["Percent, greedy, mean over runs, at which share of the budget."],
  );
}
