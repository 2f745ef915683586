/**
 * One rollout: a policy in an episode, until the agent finishes, a budget ends it, or it is cancelled.
 *
 * render -> sample a turn -> extract its code -> step -> append the observation -> ... -> evaluate. `rollout.test.ts`
 * numbers and locks the semantics. Two of them carry the algorithm: ids are exactly those that were sampled, and the
 * mask is 1 exactly on them (the stop token included, an end that had to be appended not).
 */
import { BowlineError } from "../core/index.ts";
import {
  type Episode,
  isShaped,
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
import { callAcrossBoundary, failureFromError, isEndOfPolicy } from "./failure.ts";
import { MessageTranscript } from "./message-transcript.ts";
import { type Continuation, createConversation, type RolloutHooks } from "./rollout-hooks.ts";
import { type SampledTurn, TokenTranscript, type Transcript } from "./token-transcript.ts";

/** Who acts, how it is talked to, and what a rollout may cost. */
export interface RolloutOptions {
  readonly policy: Policy;
  readonly scaffold: Scaffold;
  /** Needed by token policies. */
  readonly renderer?: Renderer;
  /** Unique in the run; also the key under which the sampler keeps this rollout's prefix. */
  readonly id: string;
  /** Position within its group. */
  readonly index: number;
  /** Unsigned 32-bit; with the weights it decides every sampled token. */
  readonly stream: number;
  readonly temperature: number;
  readonly signal?: AbortSignal;
  /** Instead of the scaffold's (the paper trains with 40 turns and evaluates with 50). */
  readonly maxTurns?: number;
  /** After every turn, with the decode steps so far: what the live straggler rule needs. */
  readonly onTurn?: (turn: Turn, decodeSteps: number) => void;
  /** What gives it another shape than the linear one. */
  readonly hooks?: RolloutHooks;
}

/** The same in an episode that is open already. */
export interface RolloutRequest extends RolloutOptions {
  /** Freshly opened. It belongs to the caller, who closes it. */
  readonly episode: Episode;
}

/**
 * Runs a rollout to its record. What the policy, the world or the agent throw becomes outcome `failed`; an aborted
 * `signal` becomes `cancelled`. Rejects only on misuse: a token policy without a renderer.
 */
export async function runRollout(request: RolloutRequest): Promise<Rollout> {
  const { episode, signal } = request;
  const transcript = createTranscript(request, episode.task);
  const turns: Turn[] = [];
  const end = (outcome: Outcome, rest: Pick<Rollout, "evaluation" | "failure"> = {}) =>
    createRecord(request, episode.task, transcript, { turns, outcome, ...rest });
  try {
    const outcome = await runTurns(request, transcript, turns).catch((error) => {
      if (isEndOfPolicy(error)) return "token-limit" as const;
      throw error;
    });
    if (outcome === "cancelled") return end(outcome);
    const evaluation = await callAcrossBoundary("world", () => episode.evaluate());
    return end(outcome, { evaluation: { ...evaluation, checks: [...evaluation.checks] } });
  } catch (error) {
    if (signal?.aborted) return end("cancelled");
    return end("failed", { failure: failureFromError(error) });
  } finally {
    try {
      transcript.releasePrefix();
    } catch {
      // A policy that cannot release a prefix says so when it is next asked to sample; this record is complete.
    }
  }
}

/** Opens the task's episode, runs a rollout in it and closes it. An episode that cannot be opened is a failed rollout. */
export async function runTask(
  world: Pick<World, "open">,
  task: TaskInfo,
  options: RolloutOptions,
): Promise<Rollout> {
  const dialogue = createTranscript(options, task);
  let episode: Episode;
  try {
    episode = await callAcrossBoundary("world", () => world.open(task.id));
  } catch (error) {
    const failure = failureFromError(error);
    return createRecord(options, task, dialogue, { turns: [], outcome: "failed", failure });
  }
  try {
    return await runRollout({ ...options, episode });
  } finally {
    // The record is complete; a world that cannot close an episode says so when the next one is opened.
    await episode.close().catch(() => {});
  }
}

/** Turns until something ends the rollout. Throws what crosses a boundary. */
async function runTurns(
  request: RolloutRequest,
  transcript: Transcript,
  turns: Turn[],
): Promise<Exclude<Outcome, "failed">> {
  const { episode, scaffold, signal, onTurn, hooks } = request;
  const maxTurns = request.maxTurns ?? scaffold.limits.maxTurns;
  const { task } = episode;
  const conversation = hooks && createConversation({ task, signal }, transcript, turns, onTurn);
  const messages = scaffold.start(task);
  let continuation =
    conversation && hooks.beforeFirstTurn
      ? await hooks.beforeFirstTurn(conversation, messages)
      : fitting(transcript.startRow(messages));
  for (let turnNumber = 1; continuation === "go"; turnNumber++) {
    if (signal?.aborted) return "cancelled";
    const sampled = await transcript.sampleTurn(signal, hooks?.trainsActor);
    if (!sampled) return "cancelled";
    const code = scaffold.extractCode(sampled.message);
    const result = await callAcrossBoundary("world", () => episode.step(code, signal));
    const observation = scaffold.observe(task, result, { turn: turnNumber, maxTurns });
    const turn = createTurn(sampled, code, observation.content, result);
    turns.push(turn);
    onTurn?.(turn, transcript.decodeSteps);
    if (result.finished || turnNumber >= maxTurns) {
      if (conversation) await hooks.afterLastTurn?.(conversation, observation);
      return result.finished ? "finished" : "turn-limit";
    }
    continuation =
      conversation && hooks.betweenTurns
        ? await hooks.betweenTurns(conversation, observation)
        : fitting(transcript.appendObservation(observation));
  }
  return continuation;
}

function fitting(fits: boolean): Continuation {
  return fits ? "go" : "token-limit";
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
  { message, ...where }: SampledTurn,
  code: string,
  observation: string,
  { status, limit, calls }: StepResult,
): Turn {
  const ran = { code, observation, status, ...(limit && { limit }), calls: [...calls] };
  return { message, ...ran, ...where };
}

type RolloutEnding = Pick<Rollout, "turns" | "outcome" | "evaluation" | "failure">;

function createRecord(
  { id, index, stream, temperature }: RolloutOptions,
  task: TaskInfo,
  transcript: Transcript,
  { turns, outcome, evaluation, failure }: RolloutEnding,
): Rollout {
  const { tokens, segments, policyVersion } = transcript;
  const shaped = segments.length > 0 || isShaped({ turns });
  return Object.freeze({
    version: shaped ? (2 as const) : (1 as const),
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
