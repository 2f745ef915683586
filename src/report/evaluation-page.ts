/**
 * Writes `report.html` for an evaluation: how many tasks were solved, how the policy behaved, what it used, and its
 * rollouts.
 */
import { join } from "node:path";
import { isPassed } from "../algo/index.ts";
import { requireParentFolder, writeFileAtomic } from "../core/index.ts";
import type { Rollout, Score } from "../spec/index.ts";
import type { EvaluateResult } from "../train/index.ts";
import { formatCompact, formatPercent } from "./format.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./page-shell.ts";
import type { SelectedRollout } from "./rollout-selection.ts";
import { renderRolloutsSection } from "./rollouts-section.ts";
import { formatBehaviourName, formatTgc } from "./score-rows.ts";

/** The largest number of rollouts on one page. */
const MAX_ROLLOUTS = 60;

/**
 * Writes `report.html` into the folder and returns its path. Throws a `config` error when the folder does not exist.
 */
export function writeEvaluationReport(directory: string, result: EvaluateResult): string {
  const path = join(directory, "report.html");
  requireParentFolder(path);
  writeFileAtomic(path, renderEvaluationPage(result));
  return path;
}

function renderEvaluationPage(result: EvaluateResult): string {
  const { policy, scaffold, world, split, seed, score, rollouts, hosted } = result;
  return renderPage({
    title: policy,
    headline: `${formatPercent(score.tgc)}% of ${score.tasks} tasks solved`,
    facts: [
      ["policy", policy],
      ...(scaffold === undefined ? [] : [["scaffold", scaffold] as const]),
      ["world", world],
      ["split", split],
      ["seed", String(seed)],
      ["scenarios", String(score.scenarios)],
      ["mean reward", score.reward.toFixed(3)],
    ],
    sections: { result: "Result", used: "Usage", rollouts: "Rollouts" },
    main: html`${renderScoreSection(score)}${hosted && renderUsageSection(hosted)}${renderRolloutsSection(selectRollouts(rollouts), undefined)}`,
  });
}

function renderScoreSection(score: Score): Html {
  const levels = Object.entries(score.byDifficulty).map(
    ([level, part]) =>
      html`<tr><th>difficulty ${level}</th><td>${formatPercent(part.share)}%</td><td>${formatPercent(part.tgc)}</td><td>${formatPercent(part.sgc)}</td></tr>`,
  );
  const habits = Object.entries(score.behaviour).map(
    ([name, value]) =>
      html`<tr><th>${formatBehaviourName(name)}</th><td>${formatCompact(value)}</td></tr>`,
  );
  return html`<section id="result"><h2>Result</h2><div class="scroll"><table>
<thead><tr><th></th><th>tasks</th><th>TGC</th><th>SGC</th></tr></thead>
<tbody><tr><th>all</th><td>${score.tasks}</td><td>${formatTgc(score)}</td><td>${formatPercent(score.sgc)}</td></tr>${levels}</tbody></table></div>
<p class="note"><b>TGC</b> (task goal completion) is the percentage of tasks whose checks all pass, with its 95% interval (tasks of a scenario count as one cluster). <b>SGC</b> (scenario goal completion) is the percentage of scenarios whose three tasks all pass.</p>
<h3>Behaviour <small>counts are per task, rates per turn</small></h3><div class="scroll"><table class="behaviour"><tbody>${habits}</tbody></table></div></section>`;
}

function renderUsageSection(hosted: NonNullable<EvaluateResult["hosted"]>): Html {
  const lines = Object.entries(hosted).map(
    ([name, value]) => html`<tr><th>${name}</th><td>${formatCompact(value)}</td></tr>`,
  );
  return html`<section id="used"><h2>Usage</h2><p class="note">The provider counted these tokens. Cached tokens are part of the input, and reasoning tokens are part of the output.</p>
<div class="scroll"><table class="behaviour"><tbody>${lines}</tbody></table></div></section>`;
}

/** Selects the rollouts of the page. Failed ones come first, because readers look for failures. */
function selectRollouts(rollouts: readonly Rollout[]): SelectedRollout[] {
  const passedAsNumber = (rollout: Rollout) => Number(isPassed(rollout));
  return [...rollouts]
    .sort((a, b) => passedAsNumber(a) - passedAsNumber(b))
    .slice(0, MAX_ROLLOUTS)
    .map((rollout) => ({ rollout, phase: "evaluation", label: rollout.outcome }));
}
