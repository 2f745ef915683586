/**
 * A recorded rollout done again in its world, cell by cell, and compared with what its record says.
 *
 * A world is deterministic, so the same code from the same start makes the same calls, answers and state. Where something
 * differs, the world is no longer the one of the record, and nothing that is seen after that turn is the rollout's.
 */
import type { Rollout, Scaffold, StepResult, Turn } from "../../spec/index.ts";
import type { InspectedEpisode, SeenStep, WorldInspector } from "../../world/index.ts";

/** How the run showed its cells to the agent. */
export interface ObservationSettings {
  /** Undefined: it cannot be told from here, and observations are not compared. */
  readonly scaffold: Scaffold | undefined;
  readonly maxTurns: number;
  /** It cuts by tokens, which nobody counts here: beginnings are compared. */
  readonly cutsByTokens: boolean;
}

export interface Replay {
  /** Where it stands now; the caller's to close. */
  readonly episode: InspectedEpisode;
  /** One a turn that was replayed; none for a turn that ran nothing. */
  readonly steps: readonly (SeenStep | undefined)[];
  /** The first turn (from 0) that did not do what its record says. */
  readonly firstDifference?: number;
}

/** Why a record holds no cells that a world could run; undefined: it does. */
export function explainNotReplayable({
  session,
  outcome,
  failure,
  turns,
}: Rollout): string | undefined {
  if (session !== undefined) {
    return "an agent of its owner's own played it: its record has conversations, no cells that a world ran";
  }
  if (outcome === "failed" && turns.length === 0) {
    return `it failed before its first turn: ${failure?.message ?? "its record does not say why"}`;
  }
  return undefined;
}

/** Runs the first `upTo` turns; stops behind one that differs where `strict`. */
export async function replayRollout(
  world: WorldInspector,
  rollout: Rollout,
  observationSettings: ObservationSettings,
  { upTo = rollout.turns.length, strict: stopAtDifference = false } = {},
): Promise<Replay> {
  let episode = await world.open(rollout.task.id);
  const steps: (SeenStep | undefined)[] = [];
  let firstDifference: number | undefined;
  let cells = 0;
  try {
    for (const [i, turn] of rollout.turns.slice(0, upTo).entries()) {
      if (turn.part !== undefined) {
        steps.push(undefined);
        continue;
      }
      const step = await episode.look(turn.code);
      cells += 1;
      steps.push(step);
      if (
        firstDifference === undefined &&
        !stepMatchesRecord(step.result, turn, rollout, observationSettings, cells)
      )
        firstDifference = i;
      if (stopAtDifference && firstDifference !== undefined) break;
      // Whoever may try again begins anew.
      if (step.result.finished && hasCellsFrom(rollout, i + 1)) {
        await episode.close();
        episode = await world.open(rollout.task.id);
      }
    }
    return {
      episode,
      steps,
      ...(firstDifference !== undefined && { firstDifference: firstDifference }),
    };
  } catch (error) {
    await episode.close().catch(() => {});
    throw error;
  }
}

const hasCellsFrom = ({ turns }: Rollout, from: number) =>
  turns.slice(from).some(({ part }) => part === undefined);

/** Whether the state that a whole replay left is judged as the record says. */
export async function hasRecordedVerdict(
  { episode, steps }: Replay,
  { evaluation, turns }: Rollout,
): Promise<boolean> {
  if (!evaluation || steps.length < turns.length) return true;
  const verdict = ({ checks }: Pick<NonNullable<Rollout["evaluation"]>, "checks">) =>
    JSON.stringify(checks.map(({ name, passed }) => [name, passed]));
  return verdict({ checks: [...(await episode.evaluate()).checks] }) === verdict(evaluation);
}

function stepMatchesRecord(
  result: StepResult,
  turn: Turn,
  { task }: Rollout,
  observationSettings: ObservationSettings,
  cellNumber: number,
): boolean {
  // The watchdog's limit depends on the machine's speed: it proves nothing either way.
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

/** What the record and the world both know of a call; a fault names places in files. */
function serialiseCalls(calls: Turn["calls"] | StepResult["calls"]): string {
  return JSON.stringify(
    calls.map(({ app, api, args, status, wrote }) => [app, api, args ?? null, status, wrote]),
  );
}

/** Two cuts of one text share all but what the cut changed. */
function haveLongCommonStart(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let commonLength = 0;
  while (commonLength < shorter && a[commonLength] === b[commonLength]) commonLength += 1;
  return commonLength >= 200 || (commonLength >= shorter / 2 && Math.max(a.length, b.length) > 200);
}
