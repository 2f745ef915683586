/**
 * A participant that a policy plays. It has a transcript of its own: the prompt of its role, then what the agent did as
 * observations, and what the participant says as turns. The agent sees only the participant's words. Where the role is
 * trained, its row and turns are kept, and learning treats them as another rollout of the same episode.
 */
import { BowlineError } from "../core/index.ts";
import type {
  Message,
  Participant,
  ParticipantView,
  PlayedRole,
  Policy,
  Renderer,
  RolloutLimits,
  TaskInfo,
  Turn,
} from "../spec/index.ts";
import { appendToLastMessage } from "./context.ts";
import { MessageTranscript } from "./message-transcript.ts";
import { TokenTranscript } from "./token-transcript.ts";
import type { Transcript } from "./transcript.ts";

/** Says which policy is sampled, and how. */
export interface PolicySamplingOptions {
  readonly policy: Policy;
  /** A token policy requires a renderer. */
  readonly renderer?: Renderer;
  readonly limits: RolloutLimits;
  /** An id that is unique in the run. It is also the sampler's cache key. */
  readonly id: string;
  readonly stream: number;
  readonly temperature: number;
}

export interface PolicyParticipantOptions extends PolicySamplingOptions {
  readonly name: string;
  /** Returns the messages that tell the policy which role it plays. */
  readonly prompt: (task: TaskInfo) => readonly Message[];
}

export interface PolicyParticipant extends Participant {
  /** Returns what the participant saw and said, or undefined when it has no tokens or never spoke. */
  record(): PlayedRole | undefined;
  release(): void;
}

/**
 * Creates a participant that a policy plays. It stops speaking when its row is full, and is silent when its answer is
 * empty.
 */
export function policyParticipant(options: PolicyParticipantOptions): PolicyParticipant {
  const { name } = options;
  const turns: Turn[] = [];
  let transcript: Transcript | undefined;
  let rowIsFull = false;
  return {
    name,
    async speak({ task, turns: seen }: ParticipantView, signal) {
      if (rowIsFull) return undefined;
      const lastTurn = describeLastTurn(seen);
      const isFirstTurn = transcript === undefined;
      transcript ??= createTranscript(options, task);
      const fits = isFirstTurn
        ? transcript.startRow(appendToLastMessage(options.prompt(task), lastTurn))
        : transcript.appendObservation({ role: "environment", content: lastTurn });
      rowIsFull = !fits;
      const sampled = fits ? await transcript.sampleTurn(signal) : undefined;
      if (!sampled) return undefined;
      const { message, span } = sampled;
      turns.push({
        message,
        code: "",
        observation: "",
        status: "ok",
        calls: [],
        part: "speech",
        ...(span && { span }),
      });
      return message.trim() === "" ? undefined : message.trim();
    },
    record: () => {
      const tokens = transcript?.tokens;
      return tokens && turns.length > 0 ? { role: name, turns, tokens } : undefined;
    },
    release: () => transcript?.releasePrefix(),
  };
}

/**
 * Asks a policy once and returns its answer. Returns undefined when the messages do not fit or the call was cancelled.
 */
export async function askPolicyOnce(
  options: PolicySamplingOptions,
  messages: readonly Message[],
  task: TaskInfo,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const transcript = createTranscript(options, task);
  try {
    if (!transcript.startRow(messages)) return undefined;
    return (await transcript.sampleTurn(signal))?.message;
  } finally {
    transcript.releasePrefix();
  }
}

function createTranscript(
  { policy, renderer, ...options }: PolicySamplingOptions,
  task: TaskInfo,
): Transcript {
  if (policy.kind === "messages") return new MessageTranscript(policy, task);
  if (renderer) return new TokenTranscript(policy, { renderer, ...options });
  throw new BowlineError("config", `${options.id}: a token policy needs a renderer, got none`);
}

function describeLastTurn(turns: readonly Turn[]): string {
  const { message, observation } = turns.findLast(({ part }) => part === undefined) ?? {
    message: "",
    observation: "",
  };
  return [message.trim(), observation.trim()].filter((text) => text !== "").join("\n");
}

/** Returns the prompt for the role of a user who knows what was asked for. */
export function userRolePrompt({ instruction }: TaskInfo): readonly Message[] {
  return [{ role: "user", content: `You asked: ${instruction}\nAnswer your helper.` }];
}

/** Returns the prompt for the role of a judge who gives the last turn a mark. */
export function judgeRolePrompt({ instruction }: TaskInfo): readonly Message[] {
  return [{ role: "user", content: `Task: ${instruction}\nMark each step from 0 to 1.` }];
}

/** Returns the first number in a judge's answer when it lies between 0 and 1, otherwise undefined. */
export function parseJudgeMark(text: string): number | undefined {
  const found = /-?\d+(\.\d+)?/.exec(text);
  const mark = found ? Number(found[0]) : Number.NaN;
  return mark >= 0 && mark <= 1 ? mark : undefined;
}
