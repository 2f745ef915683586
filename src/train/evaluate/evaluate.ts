/** Scores a policy on a split: a checkpoint, a run's newest one, or a yardstick without weights. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { demonstrationBy, enginePolicy } from "../../agent/index.ts";
import { score } from "../../algo/index.ts";
import { BowlineError, heardByMany, mapPool, streamOf } from "../../core/index.ts";
import {
  demonstrationRollout,
  loop,
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
  TaskInfo,
  World,
} from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { resolveConfig } from "../config/resolve.ts";
import { type Agent, ownScaffold, requireRoom, scaffoldOf } from "../open/agent.ts";
import { type Makers, realMakers, wholeEngine } from "../open/makers.ts";
import { ignoredNote } from "../open/model-source.ts";
import { resolveWorld } from "../open/resolve-world.ts";
import { worldModules } from "../open/world-modules.ts";
import { handlerExceptions, warnOnce } from "../run/handler-exceptions.ts";
import { startStopwatch } from "../run/stopwatch.ts";
import { changedModules, recordedWorld } from "../run/world-record.ts";
import { type EvaluateOptions, requireEvaluateOptions } from "./evaluate-options.ts";
import { nearestSolutionPolicy } from "./nearest-solution.ts";
import { openWeights, standardTemperature } from "./open-weights.ts";
import { noopPolicy, randomPolicy } from "./policies.ts";
import { scoreSplit } from "./score-split.ts";
import { type Subject, subjectOf, YARDSTICKS } from "./subject.ts";

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
  const subject = await scoredSubject(options);
  const name = options.world ?? subject.config.world.name;
  const seed = options.seed ?? subject.config.world.seed;
  const { url } = resolveWorld(name);
  const published = subject.checkpoint === undefined ? subject.source : undefined;
  const ignored = published && ignoredNote(published);
  for (const text of [subject.note, ignored, changedSince(subject, name, url)]) {
    if (text !== undefined) options.onEvent?.({ type: "note", text });
  }
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

interface Work extends Omit<EvaluateOptions, "world"> {
  readonly makers: Makers;
  readonly subject: Subject;
  readonly world: World;
  readonly total: number;
}

async function scoredSubject(options: EvaluateOptions): Promise<Subject> {
  const { policy, scaffold } = options;
  if (!(YARDSTICKS as readonly string[]).includes(policy)) {
    return subjectOf(policy, options, "evaluate");
  }
  const name = typeof scaffold === "string" ? { "scaffold.name": scaffold } : {};
  const config = resolveConfig({ overrides: name });
  const own = typeof scaffold === "function" ? scaffold : await ownScaffold(config);
  return { config, method: loop, scaffold: own };
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
      temperature: work.temperature ?? standardTemperature(subject),
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

async function openPolicy(work: Work): Promise<{
  readonly policy: Policy;
  readonly agent: { readonly scaffold: Agent["scaffold"]; readonly renderer?: Agent["renderer"] };
  readonly engine?: Engine;
}> {
  const { policy, subject, makers, seed, world, signal } = work;
  const { config, source } = subject;
  if (source !== undefined) {
    const { engine, agent } = await openWeights({ ...subject, source }, makers);
    await requireRoomOrEnd(engine, agent, world.tasks(work.split)[0]);
    return { policy: enginePolicy(engine), agent, engine };
  }
  const agent = { scaffold: scaffoldOf(config, undefined, subject.scaffold) };
  if (policy === "noop") return { policy: noopPolicy(), agent };
  if (policy === "random") return { policy: randomPolicy(seed ?? config.run.seed), agent };
  return { policy: nearestSolutionPolicy(await trainingSolutions(world, config, signal)), agent };
}

async function requireRoomOrEnd(engine: Engine, agent: Agent, task: TaskInfo | undefined) {
  try {
    if (task) requireRoom(agent, task);
  } catch (error) {
    await engine.close();
    throw error;
  }
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
      const demonstration = await demonstrationBy(world, scaffold, task.id, "careful", stream);
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
