/**
 * One rollout: a policy in an episode, until the agent finishes, a budget ends it, or it is cancelled.
 *
 * render -> sample a turn -> extract its code -> step -> append the observation -> ... -> evaluate. `rollout.test.ts`
 * numbers and locks the semantics. Two of them carry the algorithm: ids are exactly those that were sampled, and the
 * mask is 1 exactly on them (the stop token included, an end that had to be appended not).
 */
import { BowlineError } from "../core/index.ts";
import type {
  Episode,
  Outcome,
  Policy,
  Renderer,
  Rollout,
  Scaffold,
  StepResult,
  TaskInfo,
  Turn,
  World,
} from "../spec/index.ts";
import { type Dialogue, MessageDialogue, TokenDialogue, type Utterance } from "./dialogue.ts";
import { at, failureOf } from "./failure.ts";

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
}

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
  const dialogue = dialogueOf(request, episode.task);
  const turns: Turn[] = [];
  const end = (outcome: Outcome, rest: Pick<Rollout, "evaluation" | "failure"> = {}) =>
    record(request, episode.task, { dialogue, turns, outcome, ...rest });
  try {
    const outcome = await interact(request, dialogue, turns);
    if (outcome === "cancelled") return end(outcome);
    const evaluation = await at("world", () => episode.evaluate());
    return end(outcome, { evaluation: { ...evaluation, checks: [...evaluation.checks] } });
  } catch (error) {
    if (signal?.aborted) return end("cancelled");
    return end("failed", { failure: failureOf(error) });
  } finally {
    releaseQuietly(dialogue);
  }
}

/** Opens the task's episode, runs a rollout in it and closes it. An episode that cannot be opened is a failed rollout. */
export async function runTask(
  world: Pick<World, "open">,
  task: TaskInfo,
  options: RolloutOptions,
): Promise<Rollout> {
  const dialogue = dialogueOf(options, task);
  let episode: Episode;
  try {
    episode = await at("world", () => world.open(task.id));
  } catch (error) {
    return record(options, task, {
      dialogue,
      turns: [],
      outcome: "failed",
      failure: failureOf(error),
    });
  }
  try {
    return await runRollout({ ...options, episode });
  } finally {
    // The record is complete; a world that cannot close an episode says so when the next one is opened.
    await episode.close().catch(() => {});
  }
}

/** Turns until something ends the rollout. Throws what crosses a boundary. */
async function interact(
  request: RolloutRequest,
  dialogue: Dialogue,
  turns: Turn[],
): Promise<Exclude<Outcome, "failed">> {
  const { episode, scaffold, signal, onTurn } = request;
  const maxTurns = request.maxTurns ?? scaffold.limits.maxTurns;
  if (!dialogue.start(scaffold.start(episode.task))) return "token-limit";
  for (;;) {
    if (signal?.aborted) return "cancelled";
    const utterance = await dialogue.speak(signal);
    if (!utterance) return "cancelled";
    const code = scaffold.extractCode(utterance.message);
    const result = await at("world", () => episode.step(code, signal));
    const observation = scaffold.observe(episode.task, result);
    const turn = turnOf(utterance, code, observation.content, result);
    turns.push(turn);
    onTurn?.(turn, dialogue.steps);
    if (result.finished) return "finished";
    if (turns.length >= maxTurns) return "turn-limit";
    if (!dialogue.hear(observation)) return "token-limit";
  }
}

function dialogueOf(options: RolloutOptions, task: TaskInfo): Dialogue {
  const { policy, renderer, scaffold, id, stream, temperature } = options;
  if (policy.kind === "messages") return new MessageDialogue(policy, task);
  if (!renderer) {
    throw new BowlineError("config", `rollout ${id}: a token policy needs a renderer, got none`);
  }
  const { limits } = scaffold;
  return new TokenDialogue(policy, { renderer, limits, id, stream, temperature });
}

function turnOf(
  { message, span }: Utterance,
  code: string,
  observation: string,
  { status, limit, calls }: StepResult,
): Turn {
  return {
    message,
    code,
    observation,
    status,
    ...(limit && { limit }),
    calls: [...calls],
    ...(span && { span }),
  };
}

interface Ending {
  readonly dialogue: Dialogue;
  readonly turns: Turn[];
  readonly outcome: Outcome;
  readonly evaluation?: Rollout["evaluation"];
  readonly failure?: Rollout["failure"];
}

function record(options: RolloutOptions, task: TaskInfo, ending: Ending): Rollout {
  const { id, index, stream, temperature } = options;
  const { dialogue, turns, outcome, evaluation, failure } = ending;
  const { tokens, policyVersion } = dialogue;
  return Object.freeze({
    version: 1 as const,
    id,
    task: { ...task },
    index,
    stream,
    temperature,
    policyVersion,
    turns,
    ...(tokens && { tokens }),
    outcome,
    ...(failure && { failure }),
    ...(evaluation && { evaluation }),
  });
}

/** A policy that cannot release a prefix says so when it is next asked to sample; this record is complete. */
function releaseQuietly(dialogue: Dialogue): void {
  try {
    dialogue.release();
  } catch {}
}
