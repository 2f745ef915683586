/** What `action-spaces.ts` measures of a run's rollouts on test-normal, and the table of it. */
import type { Rollout } from "../../src/spec/index.ts";
import { table } from "./markdown-table.ts";

/** The scaffold of each action space. */
export const SPACES = { code: "compact", tools: "compact-tools" } as const;

export const DECODINGS = ["greedy", "T1"] as const;

/** Means over the rollouts of an evaluation. */
export interface Measured {
  /** Share of tasks that passed. */
  readonly tgc: number;
  readonly turns: number;
  /** Of a whole row, and those of them that the agent sampled. */
  readonly tokens: number;
  readonly sampled: number;
  readonly calls: number;
  /** Share of actions of which nothing could be run: code that does not parse, a message that is no call. */
  readonly illFormed: number;
  /** Share of actions that did not end well for any reason, the ill-formed among them. */
  readonly failed: number;
}

export interface ActionRun {
  readonly space: keyof typeof SPACES;
  readonly seed: number;
  readonly seconds: number;
  readonly before: { readonly [decoding in (typeof DECODINGS)[number]]: Measured };
  readonly after: { readonly [decoding in (typeof DECODINGS)[number]]: Measured };
}

/** `results/action-spaces.json`. */
export interface ActionSpaces {
  readonly version: 1;
  readonly setting: "starter";
  readonly method: "loop";
  readonly rollouts: number;
  readonly demonstrations: number;
  /** JSON of further fields that all runs share. */
  readonly fields: string;
  readonly runs: readonly ActionRun[];
}

/** Of at least one rollout. */
export function measured(rollouts: readonly Rollout[]): Measured {
  const turns = rollouts.flatMap((rollout) => rollout.turns);
  const perRollout = (total: number) => total / rollouts.length;
  const share = (wanted: (turn: Rollout["turns"][number]) => boolean) =>
    turns.filter(wanted).length / Math.max(turns.length, 1);
  const sum = (of: (rollout: Rollout) => number) =>
    rollouts.reduce((total, rollout) => total + of(rollout), 0);
  return {
    tgc: perRollout(sum(({ evaluation }) => Number(evaluation?.passed === true))),
    turns: perRollout(turns.length),
    tokens: perRollout(sum(({ tokens }) => tokens?.ids.length ?? 0)),
    sampled: perRollout(sum(({ tokens }) => tokens?.mask.filter((one) => one === 1).length ?? 0)),
    calls: perRollout(turns.reduce((total, turn) => total + turn.calls.length, 0)),
    illFormed: share(isIllFormed),
    failed: share(({ status }) => status !== "ok"),
  };
}

/** A cell that the console could not read, an empty one, or the one that a message without a whole call becomes. */
function isIllFormed({ code, status, calls, observation }: Rollout["turns"][number]): boolean {
  if (code.trim() === "") return true;
  if (status !== "error" || calls.length > 0) return false;
  return observation.startsWith("SyntaxError:") || code.startsWith("throw Object.assign(");
}

/** A row an action space, before and after reinforcement; all but TGC at T = 1, where training samples. */
export function actionSpacesTable({ runs }: ActionSpaces): string {
  const heads = ["actions", "runs", "TGC, greedy", "T = 1", "turns", "tokens", "sampled"];
  const more = ["API calls", "ill-formed", "failed"];
  const spaces = (Object.keys(SPACES) as (keyof typeof SPACES)[]).filter((space) =>
    runs.some((run) => run.space === space),
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
  return table([...heads, ...more], rows);
}
