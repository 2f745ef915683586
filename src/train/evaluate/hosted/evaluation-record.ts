/**
 * The folder of a hosted evaluation. Every rollout is stored as soon as it is finished, so after an interruption the
 * same command continues and repeats no finished rollout.
 *
 *   eval.json        what is evaluated; another evaluation in this folder is rejected
 *   rollouts.jsonl   the finished rollouts, one per line
 *   requests.jsonl   the tokens of each request, including those of lost work, which was paid too
 *   score.json       the score, written in the end
 */
import { appendFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  BowlineError,
  createFolder,
  formatValue,
  readJson,
  repairJsonLines,
  writeJson,
} from "../../../core/index.ts";
import type { RolloutJournal } from "../../../methods/index.ts";
import { openJournal } from "../../run/journal.ts";
import { addTotals, type HostedTotals, ZERO_TOTALS } from "./hosted-policy.ts";

/** The files of a hosted evaluation, to which its results are added. */
export interface EvaluationRecord {
  readonly journal: RolloutJournal;
  readonly before: HostedTotals;
  /** True if an earlier process began this evaluation. */
  readonly resumed: boolean;
  add(used: Partial<HostedTotals>): void;
  finish(score: object): void;
}

/**
 * Opens the folder. Throws a `config` error when it holds another evaluation. The error names the fields that differ.
 */
export function openEvaluationRecord(directory: string, identity: object): EvaluationRecord {
  const path = (name: string) => join(directory, name);
  const resumed = existsSync(path("eval.json"));
  if (resumed)
    requireSameEvaluation(directory, readJson(path("eval.json")) as Fields, identity as Fields);
  else {
    requireEmptyFolder(directory);
    createFolder(directory);
    writeJson(path("eval.json"), identity);
  }
  const requests = path("requests.jsonl");
  const used = repairJsonLines(requests) as Partial<HostedTotals>[];
  return {
    journal: openJournal(path("rollouts.jsonl")),
    before: used.reduce<HostedTotals>(addTotals, ZERO_TOTALS),
    resumed,
    add: (line) => appendFileSync(requests, `${JSON.stringify(line)}\n`),
    finish: (score) => writeJson(path("score.json"), score),
  };
}

type Fields = { readonly [name: string]: unknown };

function requireSameEvaluation(directory: string, there: Fields, now: Fields): void {
  const names = [...new Set([...Object.keys(there), ...Object.keys(now)])];
  const differ = names.filter((name) => JSON.stringify(there[name]) !== JSON.stringify(now[name]));
  if (differ.length === 0) return;
  const each = differ.map(
    (name) => `${name} (there ${formatValue(there[name])}, now ${formatValue(now[name])})`,
  );
  throw new BowlineError(
    "config",
    `${directory} holds another evaluation: ${each.join(", ")}; name a new folder, or give the same options`,
  );
}

function requireEmptyFolder(directory: string): void {
  const names = existsSync(directory) ? readdirSync(directory) : [];
  if (names.length === 0) return;
  throw new BowlineError(
    "config",
    `${directory} is not empty and holds no evaluation (${names.slice(0, 3).join(", ")}); name a new folder`,
  );
}
