/** A world worker: one world, one sandbox, many episodes. It answers requests in order. */
import { parentPort, workerData } from "node:worker_threads";
import { assert, BowlineError, errorMessage, errorMessageWithCause } from "../../core/index.ts";
import type { ApiCall } from "../../spec/index.ts";
import { findUserCodePlace } from "../api/index.ts";
import {
  checkTask,
  fingerprintTask,
  measureSolution,
  readPopulation,
  SecondDrawing,
} from "../check/index.ts";
import { demonstrate, LiveEpisode, WorldInstance } from "../episode/index.ts";
import {
  describeApp,
  describeTask,
  describeWorld,
  listTaskPage,
  readEpisodeState,
  readTablePage,
  runRecordedStep,
} from "../inspect/index.ts";
import { isSelfOpening } from "../opened-world.ts";
import { createSandbox, type Sandbox } from "../sandbox/index.ts";
import { FlightRecorder } from "./flight-recorder.ts";
import { loadWorld } from "./load-world.ts";
import type {
  WorkerMethod,
  WorkerParams,
  WorkerReply,
  WorkerRequest,
  WorkerResult,
} from "./protocol.ts";

const recorder = new FlightRecorder((workerData as { shared: SharedArrayBuffer }).shared);
const episodes = new Map<number, LiveEpisode>();
/** The same world made a second time, which checks compare with. It is made before the first task is checked. */
let secondDrawing: SecondDrawing | undefined;
let loaded: { readonly world: WorldInstance; readonly sandbox: Sandbox } | undefined;

const methods: {
  readonly [M in WorkerMethod]: (
    params: WorkerParams<M>,
  ) => Promise<WorkerResult<M>> | WorkerResult<M>;
} = {
  async load({ moduleUrl, origin, seed, dials }) {
    const definition = await loadWorld(moduleUrl, origin);
    if (isSelfOpening(definition)) return { opensItself: true };
    const world = new WorldInstance(definition, seed, dials, recorder);
    loaded = { world, sandbox: await createSandbox() };
    return { opensItself: false };
  },
  async open({ taskId, episode, past, attempts }) {
    if (attempts) requireLoadedWorld().world.rememberAttempts(taskId, attempts);
    const live = openEpisode(taskId);
    episodes.set(episode, live);
    await live.replay(past);
    return null;
  },
  step({ episode, code, recorded }) {
    const live = requireEpisode(episode);
    return recorded ? runRecordedStep(live, code) : live.step(code);
  },
  evaluate: ({ episode }) => requireEpisode(episode).evaluate(),
  fork({ episode, as }) {
    episodes.set(as, requireEpisode(episode).fork());
    return null;
  },
  close({ episode }) {
    requireEpisode(episode).close();
    episodes.delete(episode);
    return null;
  },
  async demonstrate({ taskId, style, seed }) {
    const episode = openEpisode(taskId);
    try {
      return await demonstrate(episode, style, seed);
    } finally {
      episode.close();
    }
  },
  async check({ taskId, seed }) {
    const { world, sandbox } = requireLoadedWorld();
    const report = await checkTask(world, sandbox, taskId, seed);
    secondDrawing ??= new SecondDrawing(world);
    const unsteady = secondDrawing.compareTask(taskId);
    return { report: { ...report, unsteady }, print: fingerprintTask(world, taskId) };
  },
  measure({ taskId, seed, tryEachApi }) {
    return measureSolution({ ...requireLoadedWorld(), taskId, seed }, tryEachApi);
  },
  redraw() {
    const { world } = requireLoadedWorld();
    secondDrawing ??= new SecondDrawing(world);
    return readPopulation(world);
  },
  look: () => describeWorld(requireLoadedWorld().world),
  lookApp: ({ app }) => describeApp(requireLoadedWorld().world, app),
  lookTable({ table, episode, ...page }) {
    const { world } = requireLoadedWorld();
    const state =
      episode === undefined ? world.copyPopulation() : requireEpisode(episode).session.state;
    return readTablePage(world, state, table, page);
  },
  lookTasks: (page) => listTaskPage(requireLoadedWorld().world, page),
  lookTask: ({ taskId }) => describeTask(requireLoadedWorld().world, taskId),
  lookEpisode: ({ episode }) => readEpisodeState(requireEpisode(episode)),
};

function requireLoadedWorld() {
  assert(loaded, "the worker has loaded its world");
  return loaded;
}

function openEpisode(taskId: string): LiveEpisode {
  const { world, sandbox } = requireLoadedWorld();
  const episode = LiveEpisode.open(world, sandbox, taskId);
  episode.onCall = recordCall;
  return episode;
}

function recordCall(call: ApiCall): void {
  const text = recorder.appendCall(call);
  if (text !== undefined) sendReply({ kind: "calls", id: recorder.request, text });
}

function requireEpisode(id: number): LiveEpisode {
  const episode = episodes.get(id);
  assert(episode, `episode ${id} is live`);
  return episode;
}

function sendReply(reply: WorkerReply): void {
  parentPort!.postMessage(reply);
}

async function answerRequest({ id, method, params }: WorkerRequest): Promise<void> {
  recorder.beginRequest(id);
  try {
    const run = methods[method] as (params: unknown) => unknown;
    sendReply({ kind: "result", id, result: await run(params) });
  } catch (error) {
    const code = BowlineError.is(error) ? error.code : undefined;
    const stack = error instanceof Error ? error.stack : undefined;
    sendReply({ kind: "failure", id, code, message: errorMessage(error), stack });
  } finally {
    recorder.endRequest();
  }
}

/**
 * A promise that a function of the world made and nobody waits for. Its failure ends the thread by an error that says
 * so.
 */
process.on("unhandledRejection", (reason) => {
  const place = findUserCodePlace(reason);
  const at = place === undefined ? "" : ` at ${place}`;
  throw new Error(
    `a promise of the world's own code was rejected: ${errorMessageWithCause(reason)}${at}; the functions of a world run synchronously, so use no async, await or fetch in them`,
  );
});

let queue = Promise.resolve();
parentPort!.on("message", (request: WorkerRequest) => {
  queue = queue.then(() => answerRequest(request));
});
