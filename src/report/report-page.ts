/**
 * Renders the report of a run as one page. It needs no file, font or script from elsewhere, and works in light and dark
 * themes and at any width.
 */

import { renderCurvesSection } from "./curves-section.ts";
import { formatDuration, pluralize } from "./format.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./page-shell.ts";
import type { SelectedRollout } from "./rollout-selection.ts";
import { renderRolloutsSection } from "./rollouts-section.ts";
import type { RunRecord } from "./run-directory.ts";
import { renderScoresSection } from "./scores-section.ts";
import type { DecodeToken } from "./token-text.ts";
import { renderUsageSection } from "./usage-section.ts";

export function renderReportPage(
  run: RunRecord,
  shown: readonly SelectedRollout[],
  decodeToken: DecodeToken | undefined,
): string {
  const { summary } = run;
  const { recipe, world } = readFacts(run);
  return renderPage({
    title: recipe,
    headline: createHeadline(run),
    facts: listHeaderFacts(run),
    sections: { result: "Result", curves: "Curves", rollouts: "Rollouts", config: "Configuration" },
    main: html`${summary ? renderScoresSection(summary) : html`<section id="result"><p class="note">This run in ${world} has not finished. Run the same command again to continue it.</p></section>`}
${renderCurvesSection(run.metrics)}
${renderRolloutsSection(shown, decodeToken)}
${summary ? renderUsageSection(summary) : html``}
${renderConfigSection(run)}`,
  });
}

function createHeadline({ summary, run }: RunRecord): string {
  const { recipe } = readFacts({ run });
  const split = ["test-normal", "dev"].find((name) => summary?.before[name] && summary.after[name]);
  if (!summary || !split) return `${recipe}: not finished`;
  const formatShare = (value: number) => `${Math.round(value * 100)}%`;
  const before = summary.before[split]!;
  const after = summary.after[split]!;
  return `${formatShare(before.tgc)} → ${formatShare(after.tgc)} of ${split === "test-normal" ? "unseen test tasks" : "held-out tasks"} solved`;
}

interface RunFacts {
  readonly recipe: string;
  readonly seed: string;
  readonly world: string;
}

function readFacts({ run }: Pick<RunRecord, "run">): RunFacts {
  const config = (run["config"] ?? {}) as {
    recipe?: string;
    run?: { seed?: number };
    world?: { name?: string };
  };
  return {
    recipe: config.recipe ?? "run",
    seed: String(config.run?.seed ?? run["seed"] ?? "?"),
    world: config.world?.name ?? "its world",
  };
}

function listHeaderFacts(run: RunRecord): [string, string][] {
  const { recipe, seed, world } = readFacts(run);
  const { summary } = run;
  const versions = (run.run["versions"] ?? {}) as Record<string, string>;
  const machine = run.run["machine"];
  return [
    ["recipe", recipe],
    ["seed", seed],
    ["world", world],
    ...(summary ? [["time", formatDuration(summary.seconds)] as [string, string]] : []),
    ...(summary ? [["rollouts", summary.rollouts.toLocaleString("en")] as [string, string]] : []),
    ...(summary && summary.warmStart.demonstrations > 0
      ? [["warm start", describeWarmStart(summary.warmStart)] as [string, string]]
      : []),
    ...(typeof machine === "string" ? [["machine", machine] as [string, string]] : []),
    [
      "versions",
      Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(", ") || "?",
    ],
    ...(summary?.stoppedEarly ? [["stopped early", summary.stoppedEarly] as [string, string]] : []),
  ];
}

function describeWarmStart({
  demonstrations,
  hastyShare,
}: {
  demonstrations: number;
  hastyShare: number;
}): string {
  return `${pluralize(demonstrations, "demonstration")}, ${Math.round(hastyShare * 100)}% hasty`;
}

function renderConfigSection({ run }: RunRecord): Html {
  return html`<section id="config"><h2>Configuration</h2><details><summary>run.json</summary><pre>${JSON.stringify(run, null, 2)}</pre></details></section>`;
}
