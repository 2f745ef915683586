/** Evaluates a policy on a split: a checkpoint, a run, a published or hosted model, or a scripted policy. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { compactScaffold, enginePolicy } from "../../agent/index.ts";
import { allowManyListeners, BowlineError, combineSignals, THIS_CALL } from "../../core/index.ts";
import {
  asShapedConfig,
  createRolloutShaper,
  loadParticipants,
  loop,
  NOBODY,
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
} from "../../spec/index.ts";
import { namesHosts } from "../../world/index.ts";
import { readDials } from "../config/config.ts";
import { countEpisodesAtOnce } from "../config/memory-plan.ts";
import { resolveNamedWorld } from "../config/resolve-world.ts";
import { isScaffoldName } from "../config/scaffolds.ts";
import {
  type Agent,
  createScaffold,
  loadOwnScaffold,
  requireRoomToAnswer,
} from "../parts/agent.ts";
import { type Makers, realMakers, withOwnEngine } from "../parts/makers.ts";
import { describeIgnoredFields } from "../parts/model-source.ts";
import { recognisePolicy } from "../policy/recognise-policy.ts";
import { createFirstExceptionWarning, findHandlerExceptions } from "../run/handler-exceptions.ts";
import { digestWorldModules } from "../run/world-modules.ts";
import { describeChangedModules, readWorldRecord } from "../run/world-record.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { type EvaluateOptions, requireEvaluateOptions } from "./evaluate-options.ts";
import { createProgressReporter, type EvaluationWork as Work } from "./evaluation-work.ts";
import { type EvaluatedPolicy, findPolicy } from "./find-policy.ts";
import { formatHostedName, hostedOverrides, isHosted } from "./hosted/hosted-options.ts";
import type { HostedTotals } from "./hosted/hosted-policy.ts";
import { type OpenedHostedModel, openHostedModel } from "./hosted/open-hosted-model.ts";
import { createNearestSolutionPolicy } from "./nearest-solution.ts";
import { defaultTemperature, openWeights } from "./open-weights.ts";
import { demonstrateTrainingTasks, scoreSolutions } from "./score-solutions.ts";
import { scoreSplit } from "./score-split.ts";
import { createNoopPolicy, createRandomPolicy } from "./scripted-policies.ts";

/** A score, with the rollouts that it is computed from, the tasks, and the world. */
export interface EvaluateResult {
  readonly score: Score;
  readonly rollouts: readonly Rollout[];
  readonly policy: string;
  /** The name of the scaffold; absent for scripted policies. */
  readonly scaffold?: string;
  readonly world: string;
  readonly split: Split;
  /** The seed of the world. */
  readonly seed: number;
  readonly dials: Dials;
  /** Errors in the world's own code that rollouts ran into; absent if there were none. */
  readonly handlerExceptions?: HandlerExceptions;
  /** The number of requests and tokens that a hosted model took, and their cost. */
  readonly hosted?: HostedTotals;
}

/** Evaluates a policy. Rejects with a BowlineError when the policy, the world or the split does not exist. */
export function evaluate(options: EvaluateOptions): Promise<EvaluateResult> {
  return evaluateWith(realMakers, options);
}

/** Works like `evaluate`, with functions that the caller passes to make worlds and engines. */
export async function evaluateWith(
  makersGiven: Makers,
  options: EvaluateOptions,
): Promise<EvaluateResult> {
  requireEvaluateOptions(options);
  allowManyListeners(options.signal);
  const makers = withOwnEngine(makersGiven, options.engine);
  const subject = withEvaluationLimits(await findEvaluatedPolicy(options), options);
  requirePlayablePolicy(subject, options);
  const ownWorld = options.agent?.world;
  const worldName = ownWorld?.name ?? options.world ?? subject.config.world.name;
  const namedBy = options.world === undefined ? subject.origin : THIS_CALL;
  const named = ownWorld ? undefined : resolveNamedWorld(worldName, namedBy);
  const limit = countScenarios(options, subject, worldName);
  const changes = named && describeWorldChanges(subject, worldName, named.url);
  for (const text of [...describePolicy(subject), changes]) reportNote(options, text);
  options.onEvent?.({ type: "phase-start", phase: "world", detail: worldName });
  const { workers, seed: seedOfPolicy } = subject.config.world;
  const seed = options.seed ?? seedOfPolicy;
  const dials = { ...readDials(subject.config), ...options.dials };
  const world =
    ownWorld ??
    (await makers.openWorld(named!.url, { seed, workers, dials, origin: named!.origin }));
  try {
    const found = { makers, subject, world, worldName, dials };
    return { ...(await evaluateInWorld({ ...options, ...found }, limit)), seed };
  } finally {
    await world.close();
  }
}

function reportNote({ onEvent }: Pick<EvaluateOptions, "onEvent">, text: string | undefined): void {
  if (text !== undefined) onEvent?.({ type: "note", text });
}

/** Returns notes about the policy: its own, and the fields that its published model ignores. */
function describePolicy({ notes = [], checkpoint, source }: EvaluatedPolicy) {
  const published = checkpoint === undefined ? source : undefined;
  return [...notes, published && describeIgnoredFields(published)];
}

/** Plays and scores the tasks of the split in the open world. */
async function evaluateInWorld(
  work: Omit<Work, "scenarios" | "total">,
  limit: ReturnType<typeof countScenarios>,
): Promise<Omit<EvaluateResult, "seed">> {
  const { split, world, worldName, dials, policy: asked } = work;
  const total = world.tasks(split, limit.count).length;
  if (total === 0) {
    const cure = namesHosts(worldName) ? `; start its hosts with --splits ${split}` : "";
    throw new BowlineError(
      "config",
      `the world ${worldName} has no tasks in the split ${split}${cure}`,
    );
  }
  // A split with fewer tasks than the limit is played whole.
  if (total >= (limit.count ?? 0)) reportNote(work, limit.note);
  const policy = isHosted(asked) ? formatHostedName(asked) : asked;
  const detail = `${policy} on ${split}`;
  work.onEvent?.({ type: "phase-start", phase: "eval", detail, steps: total });
  const counted = { ...work, scenarios: limit.count, total };
  const result = await (asked === "solution" ? scoreSolutions(counted) : scorePolicy(counted));
  const met = findHandlerExceptions(result.rollouts);
  return {
    ...{ ...result, policy, world: worldName, split, dials },
    ...(met && { handlerExceptions: met }),
  };
}

/** Returns the policy with the limits that were asked for. A longer conversation needs a longer context. */
function withEvaluationLimits(
  subject: EvaluatedPolicy,
  { limits = {} }: EvaluateOptions,
): EvaluatedPolicy {
  const { scaffold, model } = subject.config;
  const { maxTokens = scaffold.maxTokens } = limits;
  const { source } = subject;
  const longest = source?.from === "directory" ? source.directory.config.contextLength : Infinity;
  if (maxTokens > longest) {
    throw new BowlineError(
      "config",
      `limits.maxTokens: expected at most ${longest}, the context of the policy's model, got ${maxTokens}`,
    );
  }
  const contextLength = Math.max(model.contextLength, maxTokens);
  const config = {
    ...subject.config,
    scaffold: { ...scaffold, ...limits },
    model: { ...model, contextLength },
  };
  return { ...subject, config };
}

/** Returns how many scenarios are played: those that were asked for, or as many as the run of the policy scored. */
function countScenarios(
  { scenarios, split }: EvaluateOptions,
  { checkpoint, config }: EvaluatedPolicy,
  world: string,
): { readonly count: number | undefined; readonly note?: string } {
  if (scenarios !== undefined) return { count: scenarios };
  if (checkpoint === undefined || world !== config.world.name) return { count: undefined };
  const count = config.evaluation.scenarios;
  return {
    count,
    note: `as many scenarios of ${split} are played as the run scored: at most ${count} (evaluation.scenarios); --scenarios chooses another number`,
  };
}

async function findEvaluatedPolicy(options: EvaluateOptions): Promise<EvaluatedPolicy> {
  const { policy, scaffold } = options;
  const recognised = recognisePolicy(policy);
  if (recognised.kind !== "script" && recognised.kind !== "hosted") {
    const played = options.agent ? { ...options, scaffold: "agent", world: true } : options;
    return findPolicy(recognised, played, "evaluate");
  }
  requireNoAgent(options);
  requireNoBaseOption(options);
  const hosted = recognised.kind === "hosted";
  const asked = typeof scaffold === "string" ? scaffold : hosted ? "react" : undefined;
  const name = asked === undefined ? {} : { "scaffold.name": asked };
  const isOwn = typeof scaffold === "function" || (asked !== undefined && !isScaffoldName(asked));
  const limits = hosted ? hostedOverrides(options.hosted, isOwn) : {};
  const config = resolveConfig({ overrides: { ...limits, ...name } });
  const own = typeof scaffold === "function" ? scaffold : await loadOwnScaffold(config, THIS_CALL);
  const isScript = scaffold !== undefined && !hosted && policy !== "solution";
  const note = `${policy} writes code, whatever the scaffold: only the limits of the named scaffold are used`;
  return { config, method: loop, origin: THIS_CALL, scaffold: own, notes: isScript ? [note] : [] };
}

/** Throws when a user's own agent should get a policy that has no weights, and so samples no tokens. */
function requireNoAgent({ policy, agent }: EvaluateOptions): void {
  if (agent === undefined) return;
  throw new BowlineError(
    "config",
    `${formatHostedName(policy)} samples no tokens, so it cannot be the model of an agent of your own; expected a run, a checkpoint, a model or an adapter`,
  );
}

function requireNoBaseOption({ policy, base }: EvaluateOptions): void {
  if (base === undefined) return;
  throw new BowlineError(
    "config",
    `${formatHostedName(policy)} is no adapter, so it has no base; leave out ${base} (--engine.model; in the library: base)`,
  );
}

/** Throws when a policy was trained with a user's own agent, because only the user's program has that agent. */
function requirePlayablePolicy(
  { config }: EvaluatedPolicy,
  { policy, agent }: EvaluateOptions,
): void {
  if (config.scaffold.name !== "agent" || agent !== undefined) return;
  throw new BowlineError(
    "config",
    `${policy} was trained by trainAgent() with an agent of your own, and only that agent can use it: --environment names it, and evaluateAgent() takes it; its scores are in summary.json of the run`,
  );
}

/**
 * Describes how the world has changed since the policy was trained; undefined if it has not, or if another world was
 * named.
 */
function describeWorldChanges(
  { checkpoint, config }: EvaluatedPolicy,
  name: string,
  url: string,
): string | undefined {
  if (checkpoint === undefined || name !== config.world.name) return undefined;
  const run = resolve(checkpoint, "..", "..");
  const trainedIn = existsSync(join(run, "run.json")) ? readWorldRecord(run) : undefined;
  const changes = trainedIn
    ? describeChangedModules(trainedIn, { modules: digestWorldModules(url) })
    : [];
  if (changes.length === 0) return undefined;
  return `the world has changed since the policy of ${run} was trained: ${changes.join(", ")}; the score is for the world as it is now`;
}

async function scorePolicy(work: Work) {
  const { subject, onEvent } = work;
  const warn = onEvent && createFirstExceptionWarning(onEvent);
  const shapes = asShapedConfig(subject.config);
  const participants = shapes ? await loadParticipants(shapes, subject.origin) : NOBODY;
  const opened = await openPolicy(work);
  const { hosted } = opened;
  try {
    const result = await scoreSplit({
      world: work.world,
      split: work.split,
      scenarios: work.scenarios,
      policy: opened.policy,
      agent: opened.agent,
      temperature: work.temperature ?? defaultTemperature(subject),
      maxTurns: subject.config.scaffold.evaluationTurns,
      episodes: hosted?.episodes ?? countEpisodesAtOnce(subject.config),
      ...(hosted?.journal && { journal: hosted.journal }),
      seed: work.seed ?? subject.config.run.seed,
      name: `eval-${work.split}`,
      shape:
        shapes &&
        createRolloutShaper(shapes, { participants, mode: "evaluation", store: subject.memory }),
      onTurn: (task, turn) => warn?.({ task, turns: [turn] }),
      onDone: createProgressReporter(work),
      signal: combineSignals(work.signal, hosted?.signal),
    });
    hosted?.finish(result.score);
    const { name: scaffold } = opened.agent.scaffold;
    if (hosted) return { ...result, scaffold, hosted: hosted.totals() };
    return subject.source ? { ...result, scaffold } : result;
  } finally {
    await opened.engine?.close();
  }
}

async function openPolicy(work: Work): Promise<{
  readonly policy: Policy;
  readonly agent: { readonly scaffold: Agent["scaffold"]; readonly renderer?: Agent["renderer"] };
  readonly engine?: Engine;
  readonly hosted?: OpenedHostedModel;
}> {
  const { policy, subject, makers, seed, world, signal } = work;
  const { config, source } = subject;
  if (source !== undefined) {
    const { engine, agent } = await openWeights({ ...subject, source }, makers, work.agent);
    await requireRoomToAnswerOrClose(engine, agent, world.tasks(work.split)[0]);
    return { policy: enginePolicy(engine), agent, engine };
  }
  const agent = { scaffold: createScaffold(config, undefined, subject.scaffold) };
  if (isHosted(policy)) {
    const hosted = openHostedModel({
      policy,
      options: work.hosted ?? {},
      scaffold: agent.scaffold,
      maxTurns: config.scaffold.evaluationTurns,
      temperature: work.temperature ?? 0,
      world: { name: work.worldName, seed: world.seed, dials: work.dials },
      split: work.split,
      scenarios: work.scenarios,
      seed: seed ?? config.run.seed,
    });
    return { policy: hosted.policy, agent, hosted };
  }
  // A scripted policy writes no messages besides its code.
  const script = { scaffold: compactScaffold(agent.scaffold.limits) };
  if (policy === "noop") return { policy: createNoopPolicy(), agent: script };
  if (policy === "random")
    return { policy: createRandomPolicy(seed ?? config.run.seed), agent: script };
  const solutions = await demonstrateTrainingTasks(world, config, signal);
  return { policy: createNearestSolutionPolicy(solutions), agent: script };
}

async function requireRoomToAnswerOrClose(
  engine: Engine,
  agent: Agent,
  task: TaskInfo | undefined,
) {
  try {
    if (task) requireRoomToAnswer(agent, task);
  } catch (error) {
    await engine.close();
    throw error;
  }
}
