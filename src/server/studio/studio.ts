/**
 * The studio: one process that reads runs and serves the page on them, on loopback.
 *
 * Nothing here writes into a run; a run that is started from the page trains in a process of its own. Each family of routes has
 * a file of its own and keeps its own state.
 */
import { fileURLToPath } from "node:url";
import { behaviourRoutes } from "./behaviour.ts";
import { documentRoutes } from "./documents/index.ts";
import { episodeRoutes } from "./episode-routes.ts";
import { createEpisodeStore } from "./episodes.ts";
import { HOST, startServer } from "./http.ts";
import { loadPageFiles } from "./page-files.ts";
import { createPolicyCache } from "./policy-cache.ts";
import { replayRoutes } from "./replay-routes.ts";
import { createApi, type Route } from "./routes.ts";
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

/** What a studio is opened on. */
export interface StudioOptions {
  /** A folder of runs, or one run. */
  readonly root: string;
  /** 0: any that is free. Default 0. */
  readonly port?: number;
  /** The run that the page begins with. */
  readonly first?: string;
  /**
   * The words by which `bowline` is called, such as `[process.execPath, "node_modules/bowline/dist/cli/main.js"]`: runs are
   * started by it. Absent: this studio starts none.
   */
  readonly bowline?: readonly string[];
}

/** A running studio. */
export interface Studio extends AsyncDisposable {
  /** With the token: for a browser. */
  readonly url: string;
  readonly port: number;
  /** For scripts: `Authorization: Bearer <token>`. */
  readonly token: string;
  /** Runs that were started from the page and are being trained now. They go on when the studio ends. */
  training(): readonly ActiveTraining[];
  /** Ends every connection, episode and policy. */
  close(): Promise<void>;
}

/** Where the build puts the page, beside the compiled server. */
const PAGE_FOLDER = fileURLToPath(new URL("../../../dist/web/", import.meta.url));

/** Throws a `config` error where the root is not there, the port is taken, or the page was not built. */
export async function openStudio(options: StudioOptions): Promise<Studio> {
  const { root, port = 0, first, bowline } = options;
  const runs = openRuns(root);
  const page = loadPageFiles(PAGE_FOLDER);
  const records = openRunRecords(runs);
  const worlds = createWorldCache();
  const episodes = createEpisodeStore(worlds);
  const policies = createPolicyCache(records);
  const ownTrainers = bowline && createTrainers(bowline);
  const training = { runs, records, trainers: ownTrainers };
  const routes: Route[] = [
    ...studioRoutes({ root, ...(first !== undefined && { first }) }, runs, () =>
      explainCannotStart(training),
    ),
    ...trainingRoutes(training),
    ...runRoutes(runs),
    ...rolloutRoutes(runs),
    ...behaviourRoutes(runs),
    ...documentRoutes(runs),
    ...worldRoutes(records, worlds),
    ...replayRoutes(records, worlds),
    ...episodeRoutes({ records, worlds, episodes, policies }),
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
