/** A comparison as sections: the tables that `bowline compare` prints. */
import {
  armCurves,
  armDifferences,
  armScores,
  comparisonCaptions,
  percent,
  primaryTests,
} from "../../../report/index.ts";
import type { Comparison } from "../../../train/index.ts";
import { type Section, section } from "./section.ts";

/** `isOneOf`: others stand beside it, so its titles say which it is. */
export function comparisonSections(comparison: Comparison, isOneOf: boolean): Section[] {
  const { world, setting, rollouts, primary, arms, leftOut } = comparison;
  const which = isOneOf ? ` (${setting} on ${world.name}, ${rollouts} rollouts)` : "";
  const out = leftOut.map(({ recipe, why }) => `left out: ${recipe}: ${why}`);
  const all = [
    section(`Scores${which}`, armScores(comparison), [...comparisonCaptions(comparison), ...out]),
    ...(primary.length > 0
      ? [
          section(`Fixed beforehand${which}`, primaryTests(primary), [
            "Paired t test over runs of test-normal TGC, points.",
          ]),
        ]
      : []),
    ...(arms.length > 1 ? [differences(comparison, which)] : []),
    curves(comparison, which),
  ];
  return all;
}

function differences(comparison: Comparison, which: string): Section {
  const { reference, single, ...table } = armDifferences(comparison);
  const note = `Points [95% over pairs of runs${single ? "; *: one pair, over its scenarios" : ""}]; exploratory.`;
  return section(`TGC to ${reference}${which}`, table, [note]);
}

function curves(comparison: Comparison, which: string): Section {
  const all = armCurves(comparison);
  const most = Math.max(0, ...all.map(({ values }) => values.length));
  const numbers = Array.from({ length: most }, (_, i) => `evaluation ${i + 1}`);
  return section(
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
