/** Episodes over HTTP: open, look, step, evaluate, let the policy go on, end. */
import {
  continueSchema,
  type EpisodeView,
  type OpenRequest,
  openSchema,
  type StateView,
  stepSchema,
} from "../../spec/studio/index.ts";
import { continuation } from "./continuation.ts";
import { type EpisodeStore, type LiveEpisode, stepByHand } from "./episodes.ts";
import type { StudioCall, StudioReply } from "./http.ts";
import type { PolicyShelf } from "./policies.ts";
import { asksForChecks, bodyAs } from "./queries.ts";
import type { Records } from "./records.ts";
import { beginAt, shownIn } from "./replays.ts";
import type { Route } from "./routes.ts";
import { StudioError } from "./studio-error.ts";
import { worldNamed, worldOfRun } from "./world-names.ts";
import type { WorldShelf } from "./world-shelf.ts";
import { stateView } from "./world-views.ts";
import { missingIs404, tablePage } from "./worlds.ts";

/** What episodes are made of. */
export interface EpisodeParts {
  readonly records: Records;
  readonly worlds: WorldShelf;
  readonly episodes: EpisodeStore;
  readonly policies: PolicyShelf;
}

export function episodeRoutes(parts: EpisodeParts): Route[] {
  const { episodes, policies } = parts;
  const on = (
    method: Route["method"],
    pattern: string,
    answer: (call: StudioCall, id: string) => Promise<StudioReply>,
  ): Route => ({ method, pattern, answer: (call, { episode = "" }) => answer(call, episode) });
  const at = <T>(id: string, work: (live: LiveEpisode) => Promise<T>) =>
    episodes.with(id, work).then((json) => ({ json }));
  return [
    on("POST", "episodes", async (call) => {
      const request = await bodyAs(call, openSchema);
      const live = await missingIs404(() => open(parts, request));
      return { json: await episodeView(live, policies) };
    }),
    on("GET", "episodes/:episode", (_, id) => at(id, (live) => episodeView(live, policies))),
    {
      method: "GET",
      pattern: "episodes/:episode/tables/:table",
      answer: (call, { episode = "", table = "" }) =>
        at(episode, ({ episode: live }) => missingIs404(() => live.table(table, tablePage(call)))),
    },
    on("POST", "episodes/:episode/step", async (call, id) => {
      const { code } = await bodyAs(call, stepSchema);
      return at(id, async (live) => {
        await stepByHand(live, code);
        return episodeView(live, policies);
      });
    }),
    on("POST", "episodes/:episode/evaluate", (call, id) =>
      at(id, (live) => evaluated(live, asksForChecks(call))),
    ),
    on("POST", "episodes/:episode/continue", async (call, id) => ({
      events: await episodes.with(id, (live) => goOn(parts, live, call)),
    })),
    on("DELETE", "episodes/:episode", async (_, id) => {
      await episodes.end(id);
      return { json: {} };
    }),
  ];
}

async function open({ records, episodes }: EpisodeParts, request: OpenRequest) {
  if (request.from === "task") {
    const { world, seed, task, run } = request;
    const key =
      run === undefined
        ? await worldNamed(records, world, seed)
        : await worldOfRun(records, run, world);
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
  const { run, file, rollout, turn } = request;
  const recorded = await records.rollout(run, file, rollout, { tokens: true });
  const shown = await shownIn(records, run, file);
  return episodes.open(await records.world(run), async (world) => ({
    ...(await beginAt(world, shown, recorded, turn)),
    run,
  }));
}

async function episodeView(live: LiveEpisode, policies: PolicyShelf): Promise<EpisodeView> {
  const { id, task, key, run, record, finished, cells } = live;
  return {
    id,
    task: { ...task },
    world: { name: key.name, seed: key.seed, ...(run !== undefined && { run }) },
    ...(record && { record }),
    equal: true,
    finished,
    cells: [...cells],
    policy: run === undefined ? { why: NO_RUN } : await policies.describe(run),
  };
}

const NO_RUN = "this episode is of no run: name one whose policy is to go on";

async function evaluated(live: LiveEpisode, asked: boolean): Promise<StateView> {
  const { world, episode, task } = live;
  const look = await world.task(task.id);
  return stateView(look, await episode.state(), await episode.evaluate(), asked);
}

/** The world stays open until the last rollout has ended, whatever becomes of the episode. */
async function goOn({ worlds, policies }: EpisodeParts, live: LiveEpisode, call: StudioCall) {
  const request = await bodyAs(call, continueSchema);
  const run = request.run ?? live.run;
  if (run === undefined) throw new StudioError(409, NO_RUN);
  const taken = await policies.take(run, request.checkpoint);
  const held = await worlds.take(live.key);
  const release = () => {
    held.release();
    taken.release();
  };
  try {
    const { signal } = call;
    const asked = asksForChecks(call);
    return await continuation(live, { taken, run, request, asked, signal, release });
  } catch (error) {
    release();
    throw error;
  }
}
