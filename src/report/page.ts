/** The report as one page: no file, font or script from anywhere else, light and dark, wide and narrow. */

import { curvesSection } from "./curves.ts";
import { type Html, html } from "./html.ts";
import { rolloutsSection } from "./rollouts.ts";
import type { RunRecord } from "./run-directory.ts";
import type { Shown } from "./sample.ts";
import { scoresSection } from "./scores.ts";
import { page } from "./shell.ts";
import type { TokenText } from "./token-text.ts";
import { usageSection } from "./usage.ts";
import { duration, plural } from "./words.ts";

export function reportPage(
  run: RunRecord,
  shown: readonly Shown[],
  textOf: TokenText | undefined,
): string {
  const { summary } = run;
  const { recipe, world } = facts(run);
  return page({
    title: recipe,
    headline: headline(run),
    facts: headerFacts(run),
    sections: { result: "Result", curves: "Curves", rollouts: "Rollouts", config: "Configuration" },
    main: html`${summary ? scoresSection(summary) : html`<section id="result"><p class="note">This run in ${world} has not ended: run the same command again to continue it.</p></section>`}
${curvesSection(run.metrics)}
${rolloutsSection(shown, textOf)}
${summary ? usageSection(summary) : html``}
${configSection(run)}`,
  });
}

function headline({ summary, run }: RunRecord): string {
  const { recipe } = facts({ run });
  const split = ["test-normal", "dev"].find((name) => summary?.before[name] && summary.after[name]);
  if (!summary || !split) return `${recipe}: at work`;
  const share = (value: number) => `${Math.round(value * 100)}%`;
  const before = summary.before[split]!;
  const after = summary.after[split]!;
  return `${share(before.tgc)} → ${share(after.tgc)} of ${split === "test-normal" ? "unseen test tasks" : "held-out tasks"} solved`;
}

interface Facts {
  readonly recipe: string;
  readonly seed: string;
  readonly world: string;
}

function facts({ run }: Pick<RunRecord, "run">): Facts {
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

function headerFacts(run: RunRecord): [string, string][] {
  const { recipe, seed, world } = facts(run);
  const { summary } = run;
  const versions = (run.run["versions"] ?? {}) as Record<string, string>;
  const machine = run.run["machine"];
  return [
    ["recipe", recipe],
    ["seed", seed],
    ["world", world],
    ...(summary ? [["time", duration(summary.seconds)] as [string, string]] : []),
    ...(summary ? [["rollouts", summary.rollouts.toLocaleString("en")] as [string, string]] : []),
    ...(summary && summary.warmStart.demonstrations > 0
      ? [["warm start", warmStart(summary.warmStart)] as [string, string]]
      : []),
    ...(typeof machine === "string" ? [["machine", machine] as [string, string]] : []),
    [
      "made with",
      Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(", ") || "?",
    ],
    ...(summary?.stoppedEarly ? [["stopped early", summary.stoppedEarly] as [string, string]] : []),
  ];
}

function warmStart({
  demonstrations,
  hastyShare,
}: {
  demonstrations: number;
  hastyShare: number;
}): string {
  return `${plural(demonstrations, "demonstration")}, ${Math.round(hastyShare * 100)}% hasty`;
}

function configSection({ run }: RunRecord): Html {
  return html`<section id="config"><h2>Configuration</h2><details><summary>run.json</summary><pre>${JSON.stringify(run, null, 2)}</pre></details></section>`;
}
