/** Routes of episodes: open, view, step, evaluate, let the policy continue, end. */
import {
  continueSchema,
  type EpisodeView,
  type OpenEpisodeRequest,
  openEpisodeSchema,
  type StateView,
  stepSchema,
} from "../../spec/studio/index.ts";
import { continueEpisode } from "./continuation.ts";
import { type EpisodeStore, type LiveEpisode, runCellsAgain, runManualCell } from "./episodes.ts";
import type { ForkStore } from "./forks.ts";
import type { StudioCall, StudioReply } from "./http.ts";
import type { PolicyCache } from "./policy-cache.ts";
import { openBeforeTurn, readObservationSettings } from "./replay-routes.ts";
import { parseBody, requestsHiddenChecks } from "./request-parameters.ts";
import type { Route } from "./routes.ts";
import type { RunRecords } from "./run-records.ts";
import { StudioError } from "./studio-error.ts";
import type { WorldCache } from "./world-cache.ts";
import { findWorldByName, findWorldOfRun } from "./world-names.ts";
import { answer404IfMissing, readTablePage } from "./world-routes.ts";
import { buildStateView } from "./world-views.ts";

/** The stores and caches that episodes need. */
export interface EpisodeServices {
  readonly records: RunRecords;
  readonly worlds: WorldCache;
  readonly episodes: EpisodeStore;
  readonly policies: PolicyCache;
  readonly forks: ForkStore;
}

export function episodeRoutes(services: EpisodeServices): Route[] {
  const { episodes, policies, forks } = services;
  const episodeRoute = (
    method: Route["method"],
    pattern: string,
    answer: (call: StudioCall, id: string) => Promise<StudioReply>,
  ): Route => ({ method, pattern, answer: (call, { episode = "" }) => answer(call, episode) });
  const answerWithEpisode = <T>(id: string, work: (live: LiveEpisode) => Promise<T>) =>
    episodes.use(id, work).then((json) => ({ json }));
  return [
    episodeRoute("POST", "episodes", async (call) => {
      const request = await parseBody(call, openEpisodeSchema);
      const live = await answer404IfMissing(() => openEpisode(services, request));
      return { json: await buildEpisodeView(live, policies) };
    }),
    episodeRoute("GET", "episodes/:episode", (_, id) =>
      answerWithEpisode(id, (live) => buildEpisodeView(live, policies)),
    ),
    {
      method: "GET",
      pattern: "episodes/:episode/tables/:table",
      answer: (call, { episode = "", table = "" }) =>
        answerWithEpisode(episode, ({ episode: live }) =>
          answer404IfMissing(() => live.table(table, readTablePage(call))),
        ),
    },
    episodeRoute("POST", "episodes/:episode/step", async (call, id) => {
      const { code } = await parseBody(call, stepSchema);
      return answerWithEpisode(id, async (live) => {
        await runManualCell(live, code);
        await forks.keepCells(live);
        return buildEpisodeView(live, policies);
      });
    }),
    episodeRoute("POST", "episodes/:episode/evaluate", (call, id) =>
      answerWithEpisode(id, (live) => evaluateEpisode(live, requestsHiddenChecks(call))),
    ),
    episodeRoute("POST", "episodes/:episode/continue", async (call, id) => ({
      events: await episodes.use(id, (live) => startContinuation(services, live, call)),
    })),
    episodeRoute("DELETE", "episodes/:episode", async (_, id) => {
      await episodes.end(id);
      return { json: {} };
    }),
  ];
}

async function openEpisode(services: EpisodeServices, request: OpenEpisodeRequest) {
  const { records, episodes } = services;
  if (request.from === "task") {
    const { world, seed, task, run } = request;
    const key =
      run === undefined
        ? await findWorldByName(records, world, seed)
        : await findWorldOfRun(records, run, world);
    return episodes.open(key, async (inspector) => {
      const episode = await inspector.open(task);
      return {
        episode,
        cells: [],
        results: [],
        finished: false,
        ...(run !== undefined && { run }),
      };
    });
  }
  if (request.from === "fork") return openFork(services, request.run, request.fork);
  const { run, file, rollout, turn } = request;
  const recorded = await records.readRollout(run, file, rollout, { tokens: true });
  const observationSettings = await readObservationSettings(records, run, file);
  return episodes.open(await records.readWorld(run), async (world) => ({
    ...(await openBeforeTurn(world, observationSettings, recorded, turn)),
    run,
  }));
}

/** Opens a fork that was kept, with its cells. A fork that is open already is the same episode. */
async function openFork({ records, episodes, forks }: EpisodeServices, run: string, id: string) {
  const open = episodes.findByFork(id);
  if (open !== undefined) return episodes.use(open, async (live) => live);
  const { file, rollout, turn, cells } = await forks.read(run, id);
  const recorded = await records.readRollout(run, file, rollout, { tokens: true });
  const observationSettings = await readObservationSettings(records, run, file);
  return episodes.open(await records.readWorld(run), async (world) => {
    const before = await openBeforeTurn(world, observationSettings, recorded, turn);
    return { ...(await runCellsAgain(before, cells)), run, fork: { id } };
  });
}

async function buildEpisodeView(live: LiveEpisode, policies: PolicyCache): Promise<EpisodeView> {
  const { id, task, key, run, record, finished, cells, fork } = live;
  const next = findRecordedCell(live);
  return {
    id,
    task: { ...task },
    world: { name: key.name, seed: key.seed, ...(run !== undefined && { run }) },
    ...(record && { record }),
    equal: true,
    finished,
    cells: [...cells],
    ...(next !== undefined && { next }),
    ...(fork && record && { fork: describeFork(record.run, fork) }),
    policy: run === undefined ? { why: NO_RUN_MESSAGE } : await policies.describePolicy(run),
  };
}

function describeFork(run: string, { id, why }: NonNullable<LiveEpisode["fork"]>) {
  return why === undefined && id !== undefined ? { run, id } : { why: why ?? "it is not kept yet" };
}

/** Returns the cell that the record ran where the episode is now, unless a cell was run by hand. */
function findRecordedCell({ record, rollout, cells, finished }: LiveEpisode): string | undefined {
  if (!record || finished || cells.some(({ by }) => by === "hand")) return undefined;
  const turn = rollout?.turns[record.turn];
  return turn?.part === undefined && turn?.code.trim() ? turn.code : undefined;
}

const NO_RUN_MESSAGE =
  "this episode belongs to no run: choose a run whose policy should continue it";

async function evaluateEpisode(
  live: LiveEpisode,
  includeHiddenChecks: boolean,
): Promise<StateView> {
  const { world, episode, task } = live;
  const taskInWorld = await world.task(task.id);
  return buildStateView(
    taskInWorld,
    await episode.state(),
    await episode.evaluate(),
    includeHiddenChecks,
  );
}

/** Keeps the world open until the last rollout has ended, even if the episode ends before. */
async function startContinuation(
  { records, worlds, policies, forks }: EpisodeServices,
  live: LiveEpisode,
  call: StudioCall,
) {
  const request = await parseBody(call, continueSchema);
  await forks.requireSpace(live);
  const run = request.run ?? live.run;
  if (run === undefined) throw new StudioError(409, NO_RUN_MESSAGE);
  const reward = await records.readReward(live.record?.run ?? run);
  const borrowed = await policies.borrow(run, request.checkpoint);
  const heldWorld = await worlds.borrow(live.key);
  const release = () => {
    heldWorld.release();
    borrowed.release();
  };
  try {
    const { signal } = call;
    const includeHiddenChecks = requestsHiddenChecks(call);
    const set = {
      startedMs: Date.now(),
      cells: live.cells.filter(({ by }) => by === "hand").length,
      request: { ...request, run },
      policy: { name: borrowed.name, scaffold: borrowed.policy.scaffold },
    };
    return await continueEpisode(live, {
      onEnd: (end) => forks.keepSet(live, { ...set, ...end }),
      borrowed,
      run,
      request,
      reward,
      includeHiddenChecks,
      signal,
      release,
    });
  } catch (error) {
    release();
    throw error;
  }
}
