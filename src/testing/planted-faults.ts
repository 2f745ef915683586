/**
 * Changes of a fake run that make it learn badly in one way, to test what a diagnosis says about it. A change is made to
 * the world or the engine, so the configuration does not show it.
 */
import type { Engine, Episode, Evaluation, SampleRequest, TaskInfo, World } from "../spec/index.ts";
import type { Makers } from "../train/index.ts";

/** Returns makers whose world's evaluations are changed. */
export function withEvaluation(
  makers: Makers,
  change: (evaluation: Evaluation, task: TaskInfo) => Evaluation,
): Makers {
  return withEpisodes(makers, (episode) => ({
    ...episode,
    evaluate: async () => change(await episode.evaluate(), episode.task),
  }));
}

/** Returns makers whose world's episodes are changed. Demonstrations stay as they are. */
export function withEpisodes(makers: Makers, change: (episode: Episode) => Episode): Makers {
  const changed = (episode: Episode): Episode => ({
    ...change(episode),
    fork: async () => changed(await episode.fork()),
  });
  return {
    ...makers,
    openWorld: async (...request) => {
      const world: World = await makers.openWorld(...request);
      return { ...world, open: async (taskId) => changed(await world.open(taskId)) };
    },
  };
}

/** Returns makers whose engine samples other requests than those that it gets. */
export function withRequests(
  makers: Makers,
  change: (request: SampleRequest) => SampleRequest,
): Makers {
  return withEngine(makers, (engine) => ({
    ...engine,
    sample: (requests, signal) => engine.sample(requests.map(change), signal),
  }));
}

/** Returns makers whose engine is changed. */
export function withEngine(makers: Makers, change: (engine: Engine) => Engine): Makers {
  return {
    ...makers,
    createEngine: async (...request) => change(await makers.createEngine(...request)),
  };
}
