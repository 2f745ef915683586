/** Computes scores and means of a run's rollouts on test-normal for `action-spaces.ts`, and formats them as a table. */
import { isPassed } from "../../src/algo/index.ts";
import type { Rollout } from "../../src/spec/index.ts";
import { formatTable } from "./markdown-table.ts";

/** The scaffold for each action space. */
export const SCAFFOLD_OF_SPACE = { code: "compact", tools: "compact-tools" } as const;

export const DECODINGS = ["greedy", "T1"] as const;

/** Means over the rollouts of an evaluation. */
export interface RolloutMeasures {
  /** Share of tasks that passed. */
  readonly tgc: number;
  readonly turns: number;
  /** All tokens of a rollout. */
  readonly tokens: number;
  /** Tokens that the agent sampled. */
  readonly sampled: number;
  readonly calls: number;
  /** Share of actions that could not be run: code that does not parse, or a message without a whole call. */
  readonly illFormed: number;
  /** Share of actions that failed for any reason, including those that could not be run. */
  readonly failed: number;
}

export interface ActionRun {
  readonly space: keyof typeof SCAFFOLD_OF_SPACE;
  readonly seed: number;
  readonly seconds: number;
  readonly before: { readonly [decoding in (typeof DECODINGS)[number]]: RolloutMeasures };
  readonly after: { readonly [decoding in (typeof DECODINGS)[number]]: RolloutMeasures };
}

/** The content of `results/action-spaces.json`. */
export interface ActionSpaces {
  readonly version: 1;
  readonly setting: "starter";
  readonly method: "loop";
  readonly rollouts: number;
  readonly demonstrations: number;
  /** JSON of the configuration fields that all runs share. */
  readonly fields: string;
  readonly runs: readonly ActionRun[];
}

/** Computes the measures of at least one rollout. */
export function measureRollouts(rollouts: readonly Rollout[]): RolloutMeasures {
  const turns = rollouts.flatMap((rollout) => rollout.turns);
  const perRollout = (total: number) => total / rollouts.length;
  const shareOfTurns = (wanted: (turn: Rollout["turns"][number]) => boolean) =>
    turns.filter(wanted).length / Math.max(turns.length, 1);
  const sumOverRollouts = (of: (rollout: Rollout) => number) =>
    rollouts.reduce((total, rollout) => total + of(rollout), 0);
  return {
    tgc: perRollout(sumOverRollouts((rollout) => Number(isPassed(rollout)))),
    turns: perRollout(turns.length),
    tokens: perRollout(sumOverRollouts(({ tokens }) => tokens?.ids.length ?? 0)),
    sampled: perRollout(
      sumOverRollouts(({ tokens }) => tokens?.mask.filter((one) => one === 1).length ?? 0),
    ),
    calls: perRollout(turns.reduce((total, turn) => total + turn.calls.length, 0)),
    illFormed: shareOfTurns(isIllFormed),
    failed: shareOfTurns(({ status }) => status !== "ok"),
  };
}

/** Says whether an action is empty, code that does not parse, or a message without a whole call. */
function isIllFormed({ code, status, calls, observation }: Rollout["turns"][number]): boolean {
  if (code.trim() === "") return true;
  if (status !== "error" || calls.length > 0) return false;
  return observation.startsWith("SyntaxError:") || code.startsWith("throw Object.assign(");
}

/**
 * Formats two rows for each action space, before and after LOOP. Only one column is greedy, task goal completion (TGC);
 * all other columns are at T = 1.
 */
export function formatActionSpaces({ runs }: ActionSpaces): string {
  const heads = ["actions", "runs", "TGC, greedy", "T = 1", "turns", "tokens", "sampled"];
  const more = ["API calls", "ill-formed", "failed"];
  const spaces = (Object.keys(SCAFFOLD_OF_SPACE) as (keyof typeof SCAFFOLD_OF_SPACE)[]).filter(
    (space) => runs.some((run) => run.space === space),
  );
  const rows = spaces.flatMap((space) => {
    const made = runs.filter((run) => run.space === space);
    return (["before", "after"] as const).map((when) => {
      const mean = (of: (measures: ActionRun["before"]) => number) =>
        made.reduce((total, run) => total + of(run[when]), 0) / made.length;
      const percent = (of: (measures: ActionRun["before"]) => number) =>
        `${(100 * mean(of)).toFixed(1)}%`;
      return [
        `${space}, ${when} LOOP`,
        String(made.length),
        percent(({ greedy }) => greedy.tgc),
        percent(({ T1 }) => T1.tgc),
        mean(({ T1 }) => T1.turns).toFixed(1),
        mean(({ T1 }) => T1.tokens).toFixed(0),
        mean(({ T1 }) => T1.sampled).toFixed(0),
        mean(({ T1 }) => T1.calls).toFixed(1),
        percent(({ T1 }) => T1.illFormed),
        percent(({ T1 }) => T1.failed),
      ];
    });
  });
  return formatTable([...heads, ...more], rows);
}
