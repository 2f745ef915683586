/** Computes the facts of a rollout: what questions can be asked about it, besides its text. */
import {
  ROLLOUT_PARTS,
  type Rollout,
  type RolloutFacts,
  type RolloutPart,
  type StoredFacts,
} from "../../spec/index.ts";
import { isPassed } from "../group-statistics.ts";
import { type RewardOptions, rewardOf } from "../rewards.ts";
import { countDecodeSteps } from "../stragglers.ts";
import { parseFileName } from "./rollout-files.ts";

/** What the trainer noted about a rollout that it learned from. */
export interface NotedCredit {
  readonly advantage: number;
  /** The return, if it is not the reward of the outcome alone. */
  readonly return?: number | undefined;
}

/** What a rollout itself says. */
export type FactsOfRollout = Omit<StoredFacts, "at">;

/** Collects what a rollout itself says. `reward` is the rule of its run. */
export function collectFacts(rollout: Rollout, reward: RewardOptions): FactsOfRollout {
  const { id, task, index, outcome, turns, evaluation } = rollout;
  const calls = turns.flatMap((turn) => turn.calls);
  const checks = evaluation?.checks ?? [];
  return {
    id,
    task,
    index,
    outcome,
    passed: isPassed(rollout),
    ...(evaluation && { return: rewardOf({ ...rollout, evaluation }, reward) }),
    turns: turns.length,
    errors: turns.filter(({ status }) => status !== "ok").length,
    tokens: rollout.tokens ? countDecodeSteps(rollout) : 0,
    calls: calls.length,
    statuses: [...new Set(calls.map(({ status }) => status))],
    apis: [...new Set(calls.map(({ app, api }) => `${app}.${api}`))],
    failedChecks: checks.filter(({ passed }) => !passed).map(({ name }) => name),
    passedChecks: checks.filter(({ passed }) => passed).map(({ name }) => name),
    has: listParts(rollout),
  };
}

/**
 * Adds to the facts of a rollout where it stands and what the trainer noted. Throws for a file whose name is not one of
 * a file of rollouts.
 */
export function placeFacts(
  facts: FactsOfRollout,
  { run, file }: Pick<RolloutFacts, "run" | "file">,
  noted?: NotedCredit,
): RolloutFacts {
  const { phase, iteration, mode } = parseFileName(file)!;
  const time = { phase, ...(iteration !== undefined && { iteration }), ...(mode && { mode }) };
  const place = { run, file, ...time };
  if (noted === undefined) return { ...place, ...facts };
  const { advantage, return: paid = facts.return } = noted;
  const has: RolloutPart[] = ["notes", ...facts.has];
  return { ...place, ...facts, ...(paid !== undefined && { return: paid }), advantage, has };
}

function listParts({ tokens, failure, branch, turns }: Rollout): RolloutPart[] {
  const written = new Set<string>(turns.flatMap(({ part }) => part ?? []));
  const hasPart = (part: RolloutPart) => {
    if (part === "tokens") return tokens !== undefined;
    if (part === "failure") return failure !== undefined;
    if (part === "branch") return branch !== undefined;
    if (part === "heard") return turns.some(({ heard }) => heard !== undefined);
    return written.has(part);
  };
  return ROLLOUT_PARTS.filter(hasPart);
}
