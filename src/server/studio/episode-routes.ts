/** Episodes over HTTP: open, look, step, evaluate, end. */
import { z } from "zod";
import {
  type EpisodeView,
  type OpenRequest,
  openSchema,
  type StateView,
} from "../../spec/studio/index.ts";
import { type Beginning, type EpisodeStore, type LiveEpisode, stepByHand } from "./episodes.ts";
import { asksForChecks, bodyAs } from "./queries.ts";
import type { Records } from "./records.ts";
import { worldOfRun } from "./records.ts";
import type { Route } from "./routes.ts";
import type { WorldKey } from "./world-shelf.ts";
import { stateView } from "./world-views.ts";
import { missingIs404, namedWorld } from "./worlds.ts";

const stepSchema = z.object({ code: z.string().max(200_000) });

export function episodeRoutes(records: Records, episodes: EpisodeStore): Route[] {
  return [
    {
      method: "POST",
      pattern: "episodes",
      answer: async (call) => {
        const request = await bodyAs(call, openSchema);
        return { json: episodeView(await missingIs404(() => open(records, episodes, request))) };
      },
    },
    {
      method: "GET",
      pattern: "episodes/:episode",
      answer: async (_, { episode }) => ({
        json: await episodes.with(episode!, async (live) => episodeView(live)),
      }),
    },
    {
      method: "POST",
      pattern: "episodes/:episode/step",
      answer: async (call, { episode }) => {
        const { code } = await bodyAs(call, stepSchema);
        const stepped = episodes.with(episode!, async (live) => {
          await stepByHand(live, code);
          return episodeView(live);
        });
        return { json: await stepped };
      },
    },
    {
      method: "POST",
      pattern: "episodes/:episode/evaluate",
      answer: async (call, { episode }) => ({
        json: await episodes.with(episode!, (live) => evaluated(live, asksForChecks(call))),
      }),
    },
    {
      method: "DELETE",
      pattern: "episodes/:episode",
      answer: async (_, { episode }) => {
        await episodes.end(episode!);
        return { json: {} };
      },
    },
  ];
}

async function open(
  records: Records,
  episodes: EpisodeStore,
  request: OpenRequest,
): Promise<LiveEpisode> {
  if (request.from === "task") {
    const { world, seed, task } = request;
    const key: WorldKey = namedWorld(records, world, seed);
    return episodes.open(key, async (inspector): Promise<Beginning> => {
      const episode = await inspector.open(task);
      return { episode, cells: [], finished: false };
    });
  }
  throw new Error(`not yet ${worldOfRun(records, request.run).name}`);
}

export function episodeView(live: LiveEpisode): EpisodeView {
  const { id, task, key, record, finished, cells } = live;
  return {
    id,
    task: { ...task },
    world: { name: key.name, seed: key.seed },
    ...(record && { record }),
    equal: true,
    finished,
    cells: [...cells],
    policy: { why: "no policy was asked for" },
  };
}

async function evaluated(live: LiveEpisode, asked: boolean): Promise<StateView> {
  const { world, episode, task } = live;
  const look = await world.task(task.id);
  return stateView(look, await episode.state(), await episode.evaluate(), asked);
}
