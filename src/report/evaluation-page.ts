/** `report.html` of an evaluation: how much was solved, how the policy went about it, what it used, and its rollouts. */
import { join } from "node:path";
import { requireParentFolder, writeFileAtomic } from "../core/index.ts";
import type { Rollout, Score } from "../spec/index.ts";
import type { EvaluateResult } from "../train/index.ts";
import { type Html, html } from "./html.ts";
import { rolloutsSection } from "./rollouts.ts";
import type { Shown } from "./sample.ts";
import { behaviourWords, withInterval } from "./score-rows.ts";
import { page } from "./shell.ts";
import { compact, percent } from "./words.ts";

/** Rollouts that one page carries. */
const SHOWN = 60;

/** Writes `report.html` into the folder and returns its path. Throws a `config` error when there is no such folder. */
export function writeEvaluationReport(directory: string, result: EvaluateResult): string {
  const path = join(directory, "report.html");
  requireParentFolder(path);
  writeFileAtomic(path, evaluationPage(result));
  return path;
}

function evaluationPage(result: EvaluateResult): string {
  const { policy, scaffold, world, split, seed, score, rollouts, hosted } = result;
  return page({
    title: policy,
    headline: `${percent(score.tgc)}% of ${score.tasks} tasks solved`,
    facts: [
      ["policy", policy],
      ...(scaffold === undefined ? [] : [["scaffold", scaffold] as const]),
      ["world", world],
      ["split", split],
      ["seed", String(seed)],
      ["scenarios", String(score.scenarios)],
      ["mean reward", score.reward.toFixed(3)],
    ],
    sections: { result: "Result", used: "Used", rollouts: "Rollouts" },
    main: html`${scoreSection(score)}${hosted && usedSection(hosted)}${rolloutsSection(sample(rollouts), undefined)}`,
  });
}

function scoreSection(score: Score): Html {
  const levels = Object.entries(score.byDifficulty).map(
    ([level, part]) =>
      html`<tr><th>difficulty ${level}</th><td>${percent(part.share)}%</td><td>${percent(part.tgc)}</td><td>${percent(part.sgc)}</td></tr>`,
  );
  const habits = Object.entries(score.behaviour).map(
    ([name, value]) => html`<tr><th>${behaviourWords(name)}</th><td>${compact(value)}</td></tr>`,
  );
  return html`<section id="result"><h2>Result</h2><div class="scroll"><table>
<thead><tr><th></th><th>of tasks</th><th>TGC</th><th>SGC</th></tr></thead>
<tbody><tr><th>all</th><td>${score.tasks}</td><td>${withInterval(score)}</td><td>${percent(score.sgc)}</td></tr>${levels}</tbody></table></div>
<p class="note"><b>TGC</b>: tasks whose checks all pass, in percent, with the 95% interval (tasks of a scenario count as one cluster). <b>SGC</b>: scenarios whose three tasks all pass.</p>
<h3>Behaviour <small>counts a task, rates a turn</small></h3><div class="scroll"><table class="behaviour"><tbody>${habits}</tbody></table></div></section>`;
}

function usedSection(hosted: NonNullable<EvaluateResult["hosted"]>): Html {
  const lines = Object.entries(hosted).map(
    ([name, value]) => html`<tr><th>${name}</th><td>${compact(value)}</td></tr>`,
  );
  return html`<section id="used"><h2>Used</h2><p class="note">As the provider counts tokens; cached ones are among the input, reasoning among the output.</p>
<div class="scroll"><table class="behaviour"><tbody>${lines}</tbody></table></div></section>`;
}

/** Failed ones first: they are what is read. */
function sample(rollouts: readonly Rollout[]): Shown[] {
  const solved = (rollout: Rollout) => Number(rollout.evaluation?.passed === true);
  return [...rollouts]
    .sort((a, b) => solved(a) - solved(b))
    .slice(0, SHOWN)
    .map((rollout) => ({ rollout, phase: "evaluation", label: rollout.outcome }));
}
