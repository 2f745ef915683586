/** Scores a policy on a split: a checkpoint, a run's newest one, or a yardstick without weights. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { enginePolicy } from "../../agent/index.ts";
import { score } from "../../algo/index.ts";
import {
  BowlineError,
  didYouMean,
  heardByMany,
  isFile,
  mapPool,
  messageOf,
  readJson,
  streamOf,
} from "../../core/index.ts";
import {
  demonstrationRollout,
  loop,
  type MemoryStore,
  type Method,
  NOBODY,
  participantsOf,
  shaperOf,
  shapesOf,
} from "../../methods/index.ts";
import type {
  Dials,
  Engine,
  HandlerExceptions,
  Policy,
  Rollout,
  Score,
  Split,
  World,
} from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { storedPhase } from "../config/parse.ts";
import { resolveConfig } from "../config/resolve.ts";
import type { Phase } from "../config/stages.ts";
import { type Agent, agentOf, type MakeScaffold, ownScaffold, scaffoldOf } from "../open/agent.ts";
import { engineRequest, type Makers, realMakers, wholeEngine } from "../open/makers.ts";
import {
  checkpointSourceOf,
  ignoredNote,
  type ModelSource,
  sourceOf,
  textOf,
  tokenizerOf,
} from "../open/model-source.ts";
import { openModelDirectory } from "../open/open-model-directory.ts";
import { resolveWorld } from "../open/resolve-world.ts";
import { worldModules } from "../open/world-modules.ts";
import type { PolicyRecord } from "../run/checkpoint.ts";
import { handlerExceptions, warnOnce } from "../run/handler-exceptions.ts";
import { startStopwatch } from "../run/stopwatch.ts";
import { changedModules, recordedWorld } from "../run/world-record.ts";
import { type EvaluateOptions, requireEvaluateOptions } from "./evaluate-options.ts";
import { nearestSolutionPolicy } from "./nearest-solution.ts";
import { noopPolicy, randomPolicy } from "./policies.ts";
import { scoreSplit } from "./score-split.ts";

/** A score, the rollouts that it comes from, and on which tasks of which world. */
export interface EvaluateResult {
  readonly score: Score;
  readonly rollouts: readonly Rollout[];
  readonly policy: string;
  readonly split: Split;
  /** Of the world. */
  readonly seed: number;
  readonly dials: Dials;
  /** Bugs of the world that its rollouts met; absent when there are none. */
  readonly handlerExceptions?: HandlerExceptions;
}

const YARDSTICKS = ["solution", "noop", "random", "nearest"] as const;

/** Rejects with a BowlineError when the policy, the world or the split is not there. */
export function evaluate(options: EvaluateOptions): Promise<EvaluateResult> {
  return evaluateWith(realMakers, options);
}

/** `evaluate` with other makers of worlds and engines. */
export async function evaluateWith(
  given: Makers,
  options: EvaluateOptions,
): Promise<EvaluateResult> {
  requireEvaluateOptions(options);
  const { engine } = options;
  heardByMany(options.signal);
  const makers: Makers = engine
    ? { ...given, createEngine: async (_, request) => wholeEngine(await engine(request), "engine") }
    : given;
  const { scaffold, ...found } = await subjectOf(options);
  const subject: Subject = { ...found, scaffold: options.scaffold ?? scaffold };
  const name = options.world ?? subject.config.world.name;
  const seed = options.seed ?? subject.config.world.seed;
  const { url } = resolveWorld(name);
  const published = subject.checkpoint === undefined ? subject.source : undefined;
  const ignored = published && ignoredNote(published);
  if (ignored !== undefined) options.onEvent?.({ type: "note", text: ignored });
  const changed = changedSince(subject, name, url);
  if (changed !== undefined) options.onEvent?.({ type: "note", text: changed });
  options.onEvent?.({ type: "phase-start", phase: "world", detail: name });
  const { workers } = subject.config.world;
  const dials = { ...subject.config.world.dials, ...options.dials };
  const world = await makers.openWorld(url, { seed, workers, dials });
  try {
    const tasks = world.tasks(options.split, options.scenarios);
    if (tasks.length === 0) {
      throw new BowlineError(
        "config",
        `the world ${name} has no tasks in the split ${options.split}`,
      );
    }
    options.onEvent?.({
      type: "phase-start",
      phase: "eval",
      detail: `${options.policy} on ${options.split}`,
      steps: tasks.length,
    });
    const work = { ...options, makers, subject, world, total: tasks.length };
    const result =
      options.policy === "solution" ? await scoreSolutions(work) : await scorePolicy(work);
    const met = handlerExceptions(result.rollouts);
    return {
      ...result,
      policy: options.policy,
      split: options.split,
      seed,
      dials,
      ...(met && { handlerExceptions: met }),
    };
  } finally {
    await world.close();
  }
}

interface Subject {
  readonly config: Config;
  readonly method: Method;
  /** The user's own scaffold that the policy was trained with. */
  readonly scaffold?: MakeScaffold | undefined;
  /** Absent for yardsticks. */
  readonly source?: ModelSource;
  /** Of a run; absent for a published model. */
  readonly checkpoint?: string;
  /** What it remembers of its training. */
  readonly memory?: MemoryStore;
}

interface Work extends Omit<EvaluateOptions, "world"> {
  readonly makers: Makers;
  readonly subject: Subject;
  readonly world: World;
  readonly total: number;
}

/** A policy speaks as it was trained to; weights are read by what wrote them. */
function refuseMissingParts(given: readonly string[], options: EvaluateOptions): void {
  const missing = (["scaffold", "engine", "world"] as const).find(
    (name) => given.includes(name) && options[name] === undefined,
  );
  if (missing === undefined) return;
  throw new BowlineError(
    "config",
    `${options.policy} was trained with a ${missing} that train() was handed: evaluate({ ${missing} }) needs it too`,
  );
}

async function subjectOf(options: EvaluateOptions): Promise<Subject> {
  const { policy } = options;
  if ((YARDSTICKS as readonly string[]).includes(policy)) return plainPhase();
  if (isModel(policy)) return publishedModel(policy);
  const checkpoint = checkpointOf(policy);
  const phase = await phaseOf(checkpoint);
  const { memory, given = [] } = readJson(join(checkpoint, "policy.json")) as PolicyRecord;
  refuseMissingParts(given, options);
  const source = await checkpointSourceOf(phase.config, checkpoint);
  const scaffold = await ownScaffold(phase.config);
  return { ...phase, scaffold, checkpoint, source, ...(memory && { memory }) };
}

/** Scoring in another world is legitimate; one of the same name that is another one is told, as a sentence. */
function changedSince(
  { checkpoint, config }: Subject,
  name: string,
  url: string,
): string | undefined {
  if (checkpoint === undefined || name !== config.world.name) return undefined;
  const run = resolve(checkpoint, "..", "..");
  const trainedIn = existsSync(join(run, "run.json")) ? recordedWorld(run) : undefined;
  const changes = trainedIn ? changedModules(trainedIn, { modules: worldModules(url) }) : [];
  if (changes.length === 0) return undefined;
  return `the world has changed since the policy of ${run} was trained: ${changes.join(", ")}; this is its score in the world as it is now`;
}

function plainPhase(): Phase {
  return { config: resolveConfig(), method: loop };
}

/** A run's checkpoint has its model in a folder of its own, so this is none. A file is taken for GGUF. */
function isModel(path: string): boolean {
  if (isFile(path)) return true;
  return existsSync(join(path, "config.json")) && !existsSync(join(path, "policy.json"));
}

/** With the limits of the default recipe, or of the model where they are lower. */
async function publishedModel(path: string): Promise<Subject> {
  const directory = await openModelDirectory(path);
  const config = resolveConfig();
  const { scaffold, engine } = config;
  const maxTokens = Math.min(scaffold.maxTokens, directory.config.contextLength);
  return {
    config: { ...config, scaffold: { ...scaffold, maxTokens }, engine: { ...engine, model: path } },
    method: loop,
    source: sourceOf(directory, config),
  };
}

/** What a checkpoint was trained by. Throws a `checkpoint` error when the folder is none. */
export async function phaseOf(checkpoint: string): Promise<Phase> {
  try {
    const record = readJson(join(checkpoint, "policy.json")) as { config: unknown };
    return await storedPhase(record.config);
  } catch (cause) {
    throw new BowlineError(
      "checkpoint",
      `${checkpoint} is not a whole checkpoint: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  }
}

/** The folder with `policy.json`: `path` itself, or the newest checkpoint of the run there. */
export function checkpointOf(path: string): string {
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  const candidates = ["", "checkpoints/final", "checkpoints/latest", "checkpoints/warm"];
  const found = candidates
    .map((name) => join(path, name))
    .find((folder) => existsSync(join(folder, "policy.json")));
  if (found !== undefined) return found;
  throw new BowlineError(
    isFolder ? "checkpoint" : "config",
    isFolder
      ? `${path} holds no checkpoint: expected a checkpoint or run directory`
      : `unknown policy ${path}${didYouMean(path, YARDSTICKS)}: expected a checkpoint or run directory, the folder or GGUF file of a model, ${YARDSTICKS.join(", ")}`,
  );
}

async function scorePolicy(work: Work) {
  const { subject, onEvent } = work;
  const warn = onEvent && warnOnce(onEvent);
  const shapes = shapesOf(subject.config);
  const participants = shapes ? await participantsOf(shapes) : NOBODY;
  const opened = await openPolicy(work);
  try {
    return await scoreSplit({
      world: work.world,
      split: work.split,
      scenarios: work.scenarios,
      policy: opened.policy,
      agent: opened.agent,
      temperature: work.temperature ?? temperatureOf(subject),
      maxTurns: subject.config.scaffold.evaluationTurns,
      episodes: subject.config.world.episodes,
      seed: work.seed ?? subject.config.run.seed,
      name: `eval-${work.split}`,
      shape:
        shapes && shaperOf(shapes, { participants, mode: "evaluation", store: subject.memory }),
      onTurn: (task, turn) => warn?.({ task, turns: [turn] }),
      onDone: counting(work),
      signal: work.signal,
    });
  } finally {
    await opened.engine?.close();
  }
}

async function openPolicy({ policy, subject, makers, seed, world, signal }: Work): Promise<{
  readonly policy: Policy;
  readonly agent: { readonly scaffold: Agent["scaffold"]; readonly renderer?: Agent["renderer"] };
  readonly engine?: Engine;
}> {
  const { config, checkpoint, source } = subject;
  if (source === undefined) {
    const agent = { scaffold: scaffoldOf(config, undefined, subject.scaffold) };
    if (policy === "noop") return { policy: noopPolicy(), agent };
    if (policy === "random") return { policy: randomPolicy(seed ?? config.run.seed), agent };
    return { policy: nearestSolutionPolicy(await trainingSolutions(world, config, signal)), agent };
  }
  const json =
    source.from === "directory"
      ? source.directory.tokenizerJson
      : readText(join(checkpoint ?? "", "tokenizer.json"));
  const tokenizer = tokenizerOf(source, json, config);
  const request = engineRequest(subject, tokenizer.vocabularySize, source);
  const engine = await makers.createEngine(config.engine.name, request);
  try {
    const weights = checkpoint && join(checkpoint, "engine");
    if (weights !== undefined && weights !== request.weights) await engine.load(weights);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return {
    policy: enginePolicy(engine),
    agent: agentOf(config, tokenizer, textOf(source), subject.scaffold),
    engine,
  };
}

function temperatureOf({ source, checkpoint }: Subject): number {
  if (checkpoint !== undefined || source?.from !== "directory") return 0;
  return source.directory.generation.temperature ?? 0;
}

/** Careful solutions of the training tasks that the world lists. */
function trainingSolutions(world: World, config: Config, signal: AbortSignal | undefined) {
  refuseUnsolved(world);
  return mapPool(world.tasks("train"), config.world.workers * 8, (task) => {
    signal?.throwIfAborted();
    return world.demonstrate(task.id, "careful", streamOf(world.seed, "solution", task.id));
  });
}

function refuseUnsolved(world: World): void {
  if (world.hasSolutions) return;
  throw new BowlineError("config", `the tasks of ${world.name} bring no solutions`);
}

/** Runs the tasks' own solutions: what a perfect policy would score. */
async function scoreSolutions(work: Work) {
  const { world, split, scenarios, subject, signal, onEvent } = work;
  refuseUnsolved(world);
  const scaffold = scaffoldOf(subject.config, undefined, subject.scaffold);
  const onDone = counting(work);
  const warn = onEvent && warnOnce(onEvent);
  let done = 0;
  const rollouts = await mapPool(
    world.tasks(split, scenarios),
    subject.config.world.workers * 8,
    async (task, i) => {
      signal?.throwIfAborted();
      const stream = streamOf(world.seed, "solution", task.id);
      const demonstration = await world.demonstrate(task.id, "careful", stream);
      const id = `solution-${split}/${i}/0`;
      warn?.(demonstration);
      onDone(++done);
      return demonstrationRollout(demonstration, { id, scaffold });
    },
  );
  return { score: score(rollouts), rollouts };
}

function counting({ onEvent, total }: Work): (done: number) => void {
  const watch = startStopwatch();
  return (step) => {
    if (step % 10 !== 0 && step !== total) return;
    const rolloutsPerSecond = step / Math.max(watch.seconds(), 1e-9);
    const secondsLeft = (total - step) / rolloutsPerSecond;
    onEvent?.({
      type: "progress",
      phase: "eval",
      step,
      steps: total,
      rolloutsPerSecond,
      secondsLeft,
      metrics: {},
    });
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new BowlineError("checkpoint", `cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}
