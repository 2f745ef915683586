/**
 * Runs one rollout: a policy acts in an episode until the agent finishes, a budget is used up, or the rollout is
 * cancelled.
 *
 * The loop is: render -> sample a turn -> extract its code -> step -> append the observation -> ... -> evaluate.
 * `rollout.test.ts` states and tests every rule. Two rules matter for the algorithm: the ids are exactly those that
 * were sampled, and the mask is 1 exactly on the sampled ids that are trained. A sampled stop token has mask 1; an end
 * token that was appended has mask 0.
 */
import { BowlineError, giveWay } from "../core/index.ts";
import {
  type Episode,
  needsVersion2,
  type Outcome,
  type Policy,
  type Renderer,
  type Rollout,
  type Scaffold,
  type StepResult,
  type TaskInfo,
  type Turn,
  type World,
} from "../spec/index.ts";
import { evaluateEpisode } from "./evaluate-episode.ts";
import { callAcrossBoundary, failureFromError, isPolicyUnableToContinue } from "./failure.ts";
import { MessageTranscript } from "./message-transcript.ts";
import type { RolloutHooks } from "./rollout-hooks.ts";
import { continueSession, startSession } from "./running-session.ts";
import { taskAfterStep } from "./task-sessions.ts";
import { TokenTranscript } from "./token-transcript.ts";
import type { SampledTurn, Transcript } from "./transcript.ts";

/** Says which policy acts, how it is prompted, and what limits a rollout has. */
export interface RolloutOptions {
  readonly policy: Policy;
  readonly scaffold: Scaffold;
  /** A token policy requires a renderer. */
  readonly renderer?: Renderer;
  /** An id that is unique in the run. The sampler uses it as the cache key of this rollout's prefix. */
  readonly id: string;
  /** The position of the rollout within its group. */
  readonly index: number;
  /** An unsigned 32-bit seed. Together with the weights, it determines every sampled token. */
  readonly stream: number;
  readonly temperature: number;
  readonly signal?: AbortSignal;
  /** Replaces the scaffold's limit of turns. (The paper trains with 40 turns and evaluates with 50.) */
  readonly maxTurns?: number;
  /** Called after every turn with the decode steps so far, which the straggler rule needs while rollouts run. */
  readonly onTurn?: (turn: Turn, decodeSteps: number) => void;
  /** Hooks for a rollout that is not linear: its context does more than grow. */
  readonly hooks?: RolloutHooks;
}

/** Options for a rollout in an episode that is already open. */
export interface RolloutRequest extends RolloutOptions {
  /** A freshly opened episode. The caller owns it and closes it. */
  readonly episode: Episode;
}

/**
 * Runs a rollout and returns its record. An error of the policy, the world or the agent gives the outcome `failed`, and
 * an aborted `signal` gives `cancelled`. The promise rejects only when a token policy has no renderer.
 */
export async function runRollout(request: RolloutRequest): Promise<Rollout> {
  const { episode, signal } = request;
  const transcript = createTranscript(request, episode.task);
  const turns: Turn[] = [];
  const finish = (outcome: Outcome, rest: Pick<Rollout, "evaluation" | "failure"> = {}) =>
    createRecord(request, episode.task, transcript, { turns, outcome, ...rest });
  try {
    const outcome = await runTurns(request, transcript, turns).catch((error) => {
      if (isPolicyUnableToContinue(error)) return "token-limit" as const;
      throw error;
    });
    if (outcome === "cancelled") return finish(outcome);
    const evaluation = await callAcrossBoundary("world", () => evaluateEpisode(episode));
    return finish(outcome, { evaluation: { ...evaluation, checks: [...evaluation.checks] } });
  } catch (error) {
    if (signal?.aborted) return finish("cancelled");
    return finish("failed", { failure: failureFromError(error) });
  } finally {
    try {
      transcript.releasePrefix();
    } catch {
      // The record is complete. A policy that cannot release a prefix will report it at the next sampling call.
    }
  }
}

/**
 * Opens the task's episode, runs a rollout in it and closes it. An episode that cannot be opened gives a failed
 * rollout.
 */
export async function runTask(
  world: Pick<World, "open">,
  task: TaskInfo,
  options: RolloutOptions,
): Promise<Rollout> {
  let episode: Episode;
  try {
    episode = await callAcrossBoundary("world", () => world.open(task.id));
  } catch (error) {
    const failure = failureFromError(error);
    const transcript = createTranscript(options, task);
    return createRecord(options, task, transcript, { turns: [], outcome: "failed", failure });
  }
  try {
    return await runRollout({ ...options, episode });
  } finally {
    // The record is complete. A world that cannot close an episode will report it when the next episode is opened.
    await episode.close().catch(() => {});
  }
}

/** Runs turns until the rollout ends. Errors of the policy and the world are thrown. */
async function runTurns(
  request: RolloutRequest,
  transcript: Transcript,
  turns: Turn[],
): Promise<Exclude<Outcome, "failed">> {
  const { episode, scaffold, signal, onTurn, hooks } = request;
  const maxTurns = request.maxTurns ?? scaffold.limits.maxTurns;
  // Thousands of rollouts may have work at once: after the opening, after each sample and after each step.
  await giveWay();
  let session = await startSession(request, transcript, turns, episode.task);
  for (let turnNumber = 1; session.continuation === "go"; turnNumber++) {
    if (signal?.aborted) return "cancelled";
    const sampled = await transcript.sampleTurn(signal, hooks?.trainsThisTurn);
    if (!sampled) return "cancelled";
    await giveWay();
    const code = scaffold.extractCode(sampled.message);
    const result = await callAcrossBoundary("world", () => episode.step(code, signal));
    await giveWay();
    const { task, conversation } = session;
    const observation = scaffold.observe(task, result, { turn: turnNumber, maxTurns });
    const turn = createTurn(sampled, code, observation.content, result);
    turns.push(turn);
    onTurn?.(turn, transcript.decodeSteps);
    if (result.finished || turnNumber >= maxTurns) {
      if (conversation) await hooks?.afterLastTurn?.(conversation, observation);
      return result.finished ? "finished" : "turn-limit";
    }
    session = result.nextSession
      ? await startSession(request, transcript, turns, taskAfterStep(task, result))
      : {
          ...session,
          continuation: await continueSession(request, transcript, session, observation),
        };
  }
  return session.continuation;
}

function createTranscript(options: RolloutOptions, task: TaskInfo): Transcript {
  const { policy, renderer, scaffold, id, stream, temperature } = options;
  if (policy.kind === "messages") return new MessageTranscript(policy, task);
  if (!renderer) {
    throw new BowlineError("config", `rollout ${id}: a token policy needs a renderer, got none`);
  }
  const { limits } = scaffold;
  return new TokenTranscript(policy, { renderer, limits, id, stream, temperature });
}

function createTurn(
  { message, ...position }: SampledTurn,
  code: string,
  observation: string,
  { status, limit, calls }: StepResult,
): Turn {
  const executed = { code, observation, status, ...(limit && { limit }), calls: [...calls] };
  return { message, ...executed, ...position };
}

type RolloutEnding = Pick<Rollout, "turns" | "outcome" | "evaluation" | "failure">;

function createRecord(
  { id, index, stream, temperature }: RolloutOptions,
  task: TaskInfo,
  transcript: Transcript,
  { turns, outcome, evaluation, failure }: RolloutEnding,
): Rollout {
  const { tokens, segments, policyVersion } = transcript;
  // Version 2 of a record adds segments, parts of turns and rewards of the world's own. All other rollouts stay
  // readable as version 1.
  const isVersion2 = segments.length > 0 || needsVersion2({ turns, evaluation });
  return Object.freeze({
    version: isVersion2 ? (2 as const) : (1 as const),
    id,
    task: { ...task },
    index,
    stream,
    temperature,
    policyVersion,
    turns,
    ...(tokens && { tokens }),
    ...(segments.length > 0 && { segments: [...segments] }),
    outcome,
    ...(failure && { failure }),
    ...(evaluation && { evaluation }),
  });
}
