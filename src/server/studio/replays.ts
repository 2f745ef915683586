/** Replays over HTTP, and the state of a recorded rollout before one of its turns. */
import { join } from "node:path";
import type { Rollout } from "../../spec/index.ts";
import type { ReplayView } from "../../spec/studio/index.ts";
import { packageScaffold, readRunConfig } from "../../train/index.ts";
import type { WorldInspector } from "../../world/index.ts";
import type { Beginning } from "./episodes.ts";
import { asksForChecks } from "./queries.ts";
import { type Records, worldOfRun } from "./records.ts";
import { isJudgedAsRecorded, replay, type Shown, unreplayable } from "./replay.ts";
import type { Route } from "./routes.ts";
import { StudioError } from "./studio-error.ts";
import type { WorldShelf } from "./world-shelf.ts";
import { callView, cellView, rolloutRow, stateView } from "./world-views.ts";

export function replayRoutes(records: Records, shelf: WorldShelf): Route[] {
  return [
    {
      method: "GET",
      pattern: "runs/:run/files/:file/rollouts/:rollout/replay",
      answer: async (call, { run, file, rollout }) => {
        const record = await records.rollout(run!, file!, rollout!);
        const asked = asksForChecks(call);
        return {
          json: await replayView({ records, shelf }, { run: run!, file: file!, record, asked }),
        };
      },
    },
  ];
}

interface Asked {
  readonly run: string;
  readonly file: string;
  readonly record: Rollout;
  /** For checks of test splits. */
  readonly asked: boolean;
}

async function replayView(
  { records, shelf }: { readonly records: Records; readonly shelf: WorldShelf },
  { run, file, record, asked }: Asked,
): Promise<ReplayView> {
  const why = unreplayable(record);
  if (why !== undefined) return { kind: "impossible", why };
  try {
    return await shelf.use(worldOfRun(records, run), (world) =>
      replayed(world, record, shownIn(records, run, file), asked),
    );
  } catch (error) {
    if (error instanceof StudioError && error.status === 409) {
      return { kind: "impossible", why: error.message };
    }
    throw error;
  }
}

async function replayed(
  world: WorldInspector,
  record: Rollout,
  shown: Shown,
  asked: boolean,
): Promise<ReplayView> {
  const done = await replay(world, record, shown);
  try {
    const { episode, steps } = done;
    const isSame = done.at === undefined && (await isJudgedAsRecorded(done, record));
    const at = done.at ?? Math.max(0, record.turns.length - 1);
    const state = stateView(
      await world.task(record.task.id),
      await episode.state(),
      await episode.evaluate(),
      asked,
    );
    const turns = steps.map((step) => ({ calls: (step?.calls ?? []).map(callView) }));
    return { kind: "replayed", equal: isSame, ...(!isSame && { at }), turns, state };
  } finally {
    await done.episode.close();
  }
}

/** The rollout before its turn `turn`: replayed and compared. Throws 400, 409. */
export async function beginAt(
  world: WorldInspector,
  shown: Shown,
  { run, file, turn, record }: Pick<Asked, "run" | "file" | "record"> & { readonly turn: number },
): Promise<Beginning> {
  const why = unreplayable(record);
  if (why !== undefined) throw new StudioError(409, why);
  if (turn > record.turns.length) {
    throw new StudioError(
      400,
      `turn: ${record.id} has ${record.turns.length} turns, so expected a whole number from 0 to ${record.turns.length}, got ${turn}`,
    );
  }
  const done = await replay(world, record, shown, { upTo: turn, strict: true });
  const { episode, steps, at } = done;
  if (at !== undefined || !(await isJudgedAsRecorded(done, record))) {
    await episode.close();
    throw new StudioError(
      409,
      `the world no longer does what ${record.id} records${at === undefined ? ": its checks come out differently" : `, from turn ${at + 1} on`}, so its state cannot be reopened`,
    );
  }
  const cells = steps.flatMap((step, i) =>
    step ? [cellView("record", record.turns[i]!.code, step)] : [],
  );
  return {
    episode,
    cells,
    results: steps.flatMap((step) => (step ? [step.result] : [])),
    finished: steps.findLast((step) => step !== undefined)?.result.finished === true,
    record: { run, file, turn, row: rolloutRow(record) },
    rollout: record,
  };
}

/** By the run's own configuration; where that cannot be read here, observations are not compared. */
export function shownIn(records: Records, run: string, file: string): Shown {
  try {
    const config = readRunConfig(join(records.directory(run)));
    const { maxTurns, evaluationTurns } = config.scaffold;
    return {
      scaffold: packageScaffold(config),
      maxTurns: file.startsWith("eval-") ? evaluationTurns : maxTurns,
      cutsByTokens: "maxObservationTokens" in config.scaffold,
    };
  } catch {
    return { scaffold: undefined, maxTurns: 0, cutsByTokens: false };
  }
}
