/**
 * The studio: one process that reads runs and serves a web page about them, on loopback only.
 *
 * The studio writes nothing into a run. A run that is started from the page trains in a separate process. Each family
 * of routes has its own file and its own state.
 */
import { behaviourRoutes } from "./behaviour.ts";
import { documentRoutes } from "./documents/index.ts";
import { episodeRoutes } from "./episode-routes.ts";
import { createEpisodeStore } from "./episodes.ts";
import { exploreRoutes } from "./explore/index.ts";
import { createForkStore, forkRoutes } from "./forks.ts";
import { HOST, startServer } from "./http.ts";
import { loadPageFiles, PAGE_FOLDER } from "./page-files.ts";
import { createPolicyCache } from "./policy-cache.ts";
import { replayRoutes } from "./replay-routes.ts";
import { createApi, type Route } from "./routes.ts";
import { noteRoutes } from "./run-notes.ts";
import { openRunRecords } from "./run-records.ts";
import { openRuns, rolloutRoutes, runRoutes, studioRoutes } from "./runs/index.ts";
import {
  type ActiveTraining,
  createTrainers,
  explainCannotStart,
  trainingRoutes,
} from "./training/index.ts";
import { createWorldCache } from "./world-cache.ts";
import { worldRoutes } from "./world-routes.ts";

/** Options of `openStudio`. */
export interface StudioOptions {
  /** A folder of runs, or one run directory. */
  readonly root: string;
  /** The port; 0 (the default) chooses any free port. */
  readonly port?: number;
  /** Id of the run that the page shows first. */
  readonly first?: string;
  /**
   * The command line of `bowline`, such as `[process.execPath, "node_modules/bowline/dist/cli/main.js"]`. Runs are
   * started with it. If it is absent, this studio cannot start runs.
   */
  readonly bowline?: readonly string[];
}

/** A running studio. */
export interface Studio extends AsyncDisposable {
  /** The URL with the token, for a browser. */
  readonly url: string;
  readonly port: number;
  /** The token for scripts, which send it as `Authorization: Bearer <token>`. */
  readonly token: string;
  /** Returns the runs that were started from the page and are training now. They continue when the studio ends. */
  training(): readonly ActiveTraining[];
  /** Closes all connections and episodes, and unloads the policy. */
  close(): Promise<void>;
}

/**
 * Opens a studio. Throws a `config` error if the root does not exist, the port is in use, or the page was not built.
 */
export async function openStudio(options: StudioOptions): Promise<Studio> {
  const { root, port = 0, first, bowline } = options;
  const runs = openRuns(root);
  const page = loadPageFiles(PAGE_FOLDER);
  const records = openRunRecords(runs);
  const worlds = createWorldCache();
  const episodes = createEpisodeStore(worlds);
  const policies = createPolicyCache(records);
  const forks = createForkStore(runs);
  const ownTrainers = bowline && createTrainers(bowline);
  const training = { runs, records, trainers: ownTrainers };
  const routes: Route[] = [
    ...studioRoutes({ root, ...(first !== undefined && { first }) }, runs, () =>
      explainCannotStart(training),
    ),
    ...trainingRoutes(training),
    ...runRoutes(runs),
    ...noteRoutes(runs),
    ...rolloutRoutes(runs),
    ...exploreRoutes(runs),
    ...behaviourRoutes(runs),
    ...documentRoutes(runs),
    ...worldRoutes(records, worlds),
    ...replayRoutes(records, worlds),
    ...forkRoutes(forks),
    ...episodeRoutes({ records, worlds, episodes, policies, forks }),
  ];
  const listening = await startServer({ api: createApi(routes), page, port });
  const { token } = listening;
  const close = async () => {
    await listening.close();
    await episodes[Symbol.asyncDispose]();
    await worlds[Symbol.asyncDispose]();
    await policies[Symbol.asyncDispose]();
    ownTrainers?.[Symbol.dispose]();
  };
  return {
    url: `http://${HOST}:${listening.port}/#token=${token}`,
    port: listening.port,
    token,
    training: () => ownTrainers?.listActive() ?? [],
    close,
    [Symbol.asyncDispose]: close,
  };
}
