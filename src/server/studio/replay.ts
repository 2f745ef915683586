/**
 * Replays a recorded rollout in its world, cell by cell, and compares the results with the record.
 *
 * A world is deterministic: the same code from the same start makes the same calls, answers and state. A difference
 * means that the world has changed since the recording, and what the replay shows after that turn does not belong to
 * the rollout.
 */
import { taskAfterStep } from "../../agent/index.ts";
import type { Rollout, Scaffold, StepResult, Turn } from "../../spec/index.ts";
import type {
  EpisodeRecord,
  InspectedEpisode,
  InspectedStep,
  WorldInspector,
} from "../../world/index.ts";

/** How the run turned the results of cells into observations for the agent. */
export interface ObservationSettings {
  /** Undefined if the scaffold cannot be opened here; then observations are not compared. */
  readonly scaffold: Scaffold | undefined;
  readonly maxTurns: number;
  /**
   * True if the scaffold shortens observations by tokens. Tokens are not counted here, so only beginnings are compared.
   */
  readonly cutsByTokens: boolean;
}

export interface Replay {
  /** The episode in its final state. The caller must close it. */
  readonly episode: InspectedEpisode;
  /** One entry for each replayed turn; undefined for a turn that ran no code. */
  readonly steps: readonly (InspectedStep | undefined)[];
  /** The first turn (from 0) whose result differs from the record. */
  readonly firstDifference?: number;
}

/** Returns why a record cannot be replayed, or undefined if it can. */
export function explainNotReplayable({
  session,
  outcome,
  failure,
  turns,
}: Rollout): string | undefined {
  if (session !== undefined) {
    return "a custom agent made this rollout: its record holds conversations instead of cells, so it cannot be replayed";
  }
  if (outcome === "failed" && turns.length === 0) {
    return `the rollout failed before its first turn: ${failure?.message ?? "the record does not say why"}`;
  }
  return undefined;
}

/** Replays the first `upTo` turns. With `stopAtDifference` it stops after the first turn that differs. */
export async function replayRollout(
  world: WorldInspector,
  rollout: Rollout,
  observationSettings: ObservationSettings,
  { upTo = rollout.turns.length, strict: stopAtDifference = false } = {},
): Promise<Replay> {
  let episode = await world.open(rollout.task.id, recordFrom(rollout, 0));
  const steps: (InspectedStep | undefined)[] = [];
  let firstDifference: number | undefined;
  let cells = 0;
  let { task } = rollout;
  try {
    for (const [i, turn] of rollout.turns.slice(0, upTo).entries()) {
      if (turn.part !== undefined) {
        steps.push(undefined);
        continue;
      }
      const step = await episode.inspectStep(turn.code);
      cells += 1;
      steps.push(step);
      if (
        firstDifference === undefined &&
        !stepMatchesRecord(step.result, turn, task, observationSettings, cells)
      )
        firstDifference = i;
      task = taskAfterStep(task, step.result);
      if (stopAtDifference && firstDifference !== undefined) break;
      // A record that continues after `finishTask` is a new attempt from the start state.
      if (step.result.finished && hasCellsFrom(rollout, i + 1)) {
        await episode.close();
        episode = await world.open(rollout.task.id, recordFrom(rollout, i + 1));
        task = rollout.task;
      }
    }
    return {
      episode,
      steps,
      ...(firstDifference !== undefined && { firstDifference }),
    };
  } catch (error) {
    await episode.close().catch(() => {});
    throw error;
  }
}

/** Returns what is recorded about the turns from `from` on, for worlds that cannot answer their calls again. */
function recordFrom({ turns, evaluation }: Rollout, from: number): EpisodeRecord {
  return { calls: turns.slice(from).flatMap(({ calls }) => calls), evaluation };
}

const hasCellsFrom = ({ turns }: Rollout, from: number) =>
  turns.slice(from).some(({ part }) => part === undefined);

/** Whether the checks pass and fail as recorded. True if the replay is not complete or the record has no evaluation. */
export async function hasRecordedVerdict(
  { episode, steps }: Replay,
  { evaluation, turns }: Rollout,
): Promise<boolean> {
  if (!evaluation || steps.length < turns.length) return true;
  const serialiseVerdict = ({ checks }: Pick<NonNullable<Rollout["evaluation"]>, "checks">) =>
    JSON.stringify(checks.map(({ name, passed }) => [name, passed]));
  return (
    serialiseVerdict({ checks: [...(await episode.evaluate()).checks] }) ===
    serialiseVerdict(evaluation)
  );
}

function stepMatchesRecord(
  result: StepResult,
  turn: Turn,
  task: Rollout["task"],
  observationSettings: ObservationSettings,
  cellNumber: number,
): boolean {
  // The wall-clock limit depends on the machine's speed, so it says nothing about a difference.
  if (turn.limit === "wall-clock" || result.limit === "wall-clock") return true;
  if (result.status !== turn.status || result.limit !== turn.limit) return false;
  if (serialiseCalls(result.calls) !== serialiseCalls(turn.calls)) return false;
  const { scaffold, maxTurns, cutsByTokens } = observationSettings;
  if (!scaffold) return true;
  const { content } = scaffold.observe(task, result, { turn: cellNumber, maxTurns });
  return (
    content === turn.observation || (cutsByTokens && haveLongCommonStart(content, turn.observation))
  );
}

/** Serialises the fields of calls that must be equal. Fault messages are left out because they name places in files. */
function serialiseCalls(calls: Turn["calls"] | StepResult["calls"]): string {
  return JSON.stringify(
    calls.map(({ app, api, args, status, wrote }) => [app, api, args ?? null, status, wrote]),
  );
}

/** Whether two texts have a long common beginning, as two shortened forms of one text do. */
function haveLongCommonStart(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let commonLength = 0;
  while (commonLength < shorter && a[commonLength] === b[commonLength]) commonLength += 1;
  return commonLength >= 200 || (commonLength >= shorter / 2 && Math.max(a.length, b.length) > 200);
}
