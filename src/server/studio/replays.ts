/** Replays over HTTP, and the state of a recorded rollout before one of its turns. */
import { BowlineError } from "../../core/index.ts";
import type { Rollout } from "../../spec/index.ts";
import type { ReplayView } from "../../spec/studio/index.ts";
import { packageScaffold, readRunConfig } from "../../train/index.ts";
import type { WorldInspector } from "../../world/index.ts";
import type { Beginning } from "./episodes.ts";
import { asksForChecks } from "./queries.ts";
import type { Recorded, Records } from "./records.ts";
import { isJudgedAsRecorded, replay, type Shown, unreplayable } from "./replay.ts";
import type { Route } from "./routes.ts";
import { StudioError } from "./studio-error.ts";
import type { WorldShelf } from "./world-shelf.ts";
import { callView, cellView, stateView } from "./world-views.ts";

export function replayRoutes(records: Records, shelf: WorldShelf): Route[] {
  return [
    {
      method: "GET",
      pattern: "runs/:run/files/:file/rollouts/:rollout/replay",
      answer: async (call, { run, file, rollout }) => {
        const recorded = await records.rollout(run!, file!, rollout!, { tokens: false });
        return {
          json: await replayView(recorded, records, shelf, asksForChecks(call)),
        };
      },
    },
  ];
}

/** `asked`: also for the checks of test splits. */
async function replayView(
  { run, file, rollout }: Recorded,
  records: Records,
  shelf: WorldShelf,
  asked: boolean,
): Promise<ReplayView> {
  const why = unreplayable(rollout);
  if (why !== undefined) return { kind: "impossible", why };
  try {
    const shown = await shownIn(records, run, file);
    return await shelf.use(await records.world(run), (world) =>
      replayed(world, rollout, shown, asked),
    );
  } catch (error) {
    const isOfTheWorld = BowlineError.is(error) && error.code === "world";
    const isRefused = error instanceof StudioError && error.status === 409;
    if (!isOfTheWorld && !isRefused) throw error;
    return { kind: "impossible", why: error.message };
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
  { run, file, rollout, row }: Recorded,
  turn: number,
): Promise<Beginning> {
  const why = unreplayable(rollout);
  if (why !== undefined) throw new StudioError(409, why);
  if (turn > rollout.turns.length) {
    throw new StudioError(
      400,
      `turn: ${rollout.id} has ${rollout.turns.length} turns, so expected a whole number from 0 to ${rollout.turns.length}, got ${turn}`,
    );
  }
  const done = await replay(world, rollout, shown, { upTo: turn, strict: true });
  const { episode, steps, at } = done;
  if (at !== undefined || !(await isJudgedAsRecorded(done, rollout))) {
    await episode.close();
    throw new StudioError(
      409,
      `the world no longer does what ${rollout.id} records${at === undefined ? ": its checks come out differently" : `, from turn ${at + 1} on`}, so its state cannot be reopened`,
    );
  }
  const cells = steps.flatMap((step, i) =>
    step ? [cellView("record", rollout.turns[i]!.code, step)] : [],
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

/** By the run's own configuration; where that cannot be read here, observations are not compared. */
export async function shownIn(records: Records, run: string, file: string): Promise<Shown> {
  try {
    const config = readRunConfig(await records.directory(run));
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
