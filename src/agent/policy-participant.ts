/**
 * A participant that a policy plays. It has a dialogue of its own: the prompt of its role, then what the agent did as its
 * observations, and what it says as its turns. The agent sees only the words. Where the role is trained, its row and
 * turns are kept, and learning takes them as another rollout of the same episode.
 */
import { BowlineError } from "../core/index.ts";
import type {
  Cast,
  Message,
  Participant,
  Policy,
  Renderer,
  RolloutLimits,
  Scene,
  TaskInfo,
  Turn,
} from "../spec/index.ts";
import { appendToLastMessage } from "./context.ts";
import { MessageTranscript } from "./message-transcript.ts";
import { TokenTranscript, type Transcript } from "./token-transcript.ts";

/** How a policy is asked. */
export interface PolicySamplingOptions {
  readonly policy: Policy;
  /** Needed by token policies. */
  readonly renderer?: Renderer;
  readonly limits: RolloutLimits;
  /** Unique in the run; also the sampler's cache key. */
  readonly id: string;
  readonly stream: number;
  readonly temperature: number;
}

export interface PolicyParticipantOptions extends PolicySamplingOptions {
  readonly name: string;
  /** The messages that tell the policy whom it plays. */
  readonly prompt: (task: TaskInfo) => readonly Message[];
}

export interface PolicyParticipant extends Participant {
  /** What it saw and said; undefined without tokens, or when it never spoke. */
  record(): Cast | undefined;
  release(): void;
}

/** It falls silent when its row is full or its answer empty. */
export function policyParticipant(options: PolicyParticipantOptions): PolicyParticipant {
  const { name } = options;
  const turns: Turn[] = [];
  let transcript: Transcript | undefined;
  let full = false;
  return {
    name,
    async speak({ task, turns: seen }: Scene, signal) {
      if (full) return undefined;
      const lastTurn = describeLastTurn(seen);
      const first = transcript === undefined;
      transcript ??= createTranscript(options, task);
      const fits = first
        ? transcript.startRow(appendToLastMessage(options.prompt(task), lastTurn))
        : transcript.appendObservation({ role: "environment", content: lastTurn });
      full = !fits;
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

/** What a policy answers to these messages, once. Undefined: they do not fit, or it was cancelled. */
export async function askPolicyOnce(
  options: PolicySamplingOptions,
  messages: readonly Message[],
  task: TaskInfo,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const dialogue = createTranscript(options, task);
  try {
    if (!dialogue.startRow(messages)) return undefined;
    return (await dialogue.sampleTurn(signal))?.message;
  } finally {
    dialogue.releasePrefix();
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

/** A user who knows what was asked for. */
export function userRolePrompt({ instruction }: TaskInfo): readonly Message[] {
  return [{ role: "user", content: `You asked: ${instruction}\nAnswer your helper.` }];
}

/** A judge who marks the last turn. */
export function judgeRolePrompt({ instruction }: TaskInfo): readonly Message[] {
  return [{ role: "user", content: `Task: ${instruction}\nMark each step from 0 to 1.` }];
}

/** The mark in what a judge says: its first number, if it lies in 0..1. */
export function parseJudgeMark(text: string): number | undefined {
  const found = /-?\d+(\.\d+)?/.exec(text);
  const mark = found ? Number(found[0]) : Number.NaN;
  return mark >= 0 && mark <= 1 ? mark : undefined;
}
