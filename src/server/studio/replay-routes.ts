/** The route that replays a rollout, and the reopening of a recorded rollout before one of its turns. */
import { BowlineError, errorMessage, isTrustError } from "../../core/index.ts";
import type { Rollout } from "../../spec/index.ts";
import type { ReplayView } from "../../spec/studio/index.ts";
import { findPackageScaffold, readRunConfig } from "../../train/index.ts";
import type { WorldInspector } from "../../world/index.ts";
import type { EpisodeStart } from "./episodes.ts";
import {
  explainNotReplayable,
  hasRecordedVerdict,
  type ObservationSettings,
  replayRollout,
} from "./replay.ts";
import { requestsHiddenChecks } from "./request-parameters.ts";
import type { Route } from "./routes.ts";
import type { RecordedRollout, RunRecords } from "./run-records.ts";
import { StudioError } from "./studio-error.ts";
import type { WorldCache } from "./world-cache.ts";
import { buildCallView, buildCellView, buildStateView } from "./world-views.ts";

export function replayRoutes(records: RunRecords, worlds: WorldCache): Route[] {
  return [
    {
      method: "GET",
      pattern: "runs/:run/files/:file/rollouts/:rollout/replay",
      answer: async (call, { run, file, rollout }) => {
        const recorded = await records.readRollout(run!, file!, rollout!, { tokens: false });
        return {
          json: await buildReplayView(recorded, records, worlds, requestsHiddenChecks(call)),
        };
      },
    },
  ];
}

/** Replays a rollout, or says why that is impossible. */
async function buildReplayView(
  { run, file, rollout }: RecordedRollout,
  records: RunRecords,
  worlds: WorldCache,
  includeHiddenChecks: boolean,
): Promise<ReplayView> {
  const why = explainNotReplayable(rollout);
  if (why !== undefined) return { kind: "impossible", why };
  try {
    const observationSettings = await readObservationSettings(records, run, file);
    return await worlds.use(await records.readWorld(run), (world) =>
      replayAndCompare(world, rollout, observationSettings, includeHiddenChecks),
    );
  } catch (error) {
    const isOfTheWorld = BowlineError.is(error) && error.code === "world";
    const isRefused = error instanceof StudioError && error.status === 409;
    if (!isOfTheWorld && !isRefused && !isTrustError(error)) throw error;
    return { kind: "impossible", why: errorMessage(error) };
  }
}

async function replayAndCompare(
  world: WorldInspector,
  record: Rollout,
  observationSettings: ObservationSettings,
  includeHiddenChecks: boolean,
): Promise<ReplayView> {
  const finishedReplay = await replayRollout(world, record, observationSettings);
  try {
    const { episode, steps } = finishedReplay;
    const isSame =
      finishedReplay.firstDifference === undefined &&
      (await hasRecordedVerdict(finishedReplay, record));
    const at = finishedReplay.firstDifference ?? Math.max(0, record.turns.length - 1);
    const state = buildStateView(
      await world.task(record.task.id),
      await episode.state(),
      await episode.evaluate(),
      includeHiddenChecks,
    );
    const turns = steps.map((step) => ({ calls: (step?.calls ?? []).map(buildCallView) }));
    return { kind: "replayed", equal: isSame, ...(!isSame && { at }), turns, state };
  } finally {
    await finishedReplay.episode.close();
  }
}

/** Replays a rollout up to its turn `turn` and opens an episode there. Throws 400 or 409. */
export async function openBeforeTurn(
  world: WorldInspector,
  observationSettings: ObservationSettings,
  { run, file, rollout, row }: RecordedRollout,
  turn: number,
): Promise<EpisodeStart> {
  const why = explainNotReplayable(rollout);
  if (why !== undefined) throw new StudioError(409, why);
  if (turn > rollout.turns.length) {
    throw new StudioError(
      400,
      `turn: ${rollout.id} has ${rollout.turns.length} turns, so expected a whole number from 0 to ${rollout.turns.length}, got ${turn}`,
    );
  }
  const finishedReplay = await replayRollout(world, rollout, observationSettings, {
    upTo: turn,
    strict: true,
  });
  const { episode, steps, firstDifference: at } = finishedReplay;
  if (at !== undefined || !(await hasRecordedVerdict(finishedReplay, rollout))) {
    await episode.close();
    throw new StudioError(
      409,
      `the world no longer behaves as ${rollout.id} records${at === undefined ? ": the results of its checks differ" : `, from turn ${at + 1} on`}, so its state cannot be reopened`,
    );
  }
  const cells = steps.flatMap((step, i) =>
    step ? [buildCellView("record", rollout.turns[i]!.code, step)] : [],
  );
  return {
    episode,
    cells,
    results: steps.flatMap((step) => (step ? [step.result] : [])),
    finished: steps.findLast((step) => step !== undefined)?.result.finished === true,
    record: { run, file, turn, row },
    rollout,
  };
}

/** Reads the settings from the run's configuration. If it cannot be read, observations are not compared. */
export async function readObservationSettings(
  records: RunRecords,
  run: string,
  file: string,
): Promise<ObservationSettings> {
  try {
    const config = readRunConfig(await records.findDirectory(run));
    const { maxTurns, evaluationTurns } = config.scaffold;
    return {
      scaffold: findPackageScaffold(config),
      maxTurns: file.startsWith("eval-") ? evaluationTurns : maxTurns,
      cutsByTokens: "maxObservationTokens" in config.scaffold,
    };
  } catch {
    return { scaffold: undefined, maxTurns: 0, cutsByTokens: false };
  }
}
