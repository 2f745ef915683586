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
import { endingWith } from "./context.ts";
import { type Dialogue, TokenDialogue } from "./dialogue.ts";
import { MessageDialogue } from "./message-dialogue.ts";

/** How a policy is asked. */
export interface VoiceOptions {
  readonly policy: Policy;
  /** Needed by token policies. */
  readonly renderer?: Renderer;
  readonly limits: RolloutLimits;
  /** Unique in the run; also the sampler's cache key. */
  readonly id: string;
  readonly stream: number;
  readonly temperature: number;
}

export interface PlayedOptions extends VoiceOptions {
  readonly name: string;
  /** The messages that tell the policy whom it plays. */
  readonly prompt: (task: TaskInfo) => readonly Message[];
}

export interface PlayedParticipant extends Participant {
  /** What it saw and said; undefined without tokens, or when it never spoke. */
  record(): Cast | undefined;
  release(): void;
}

/** It falls silent when its row is full or its answer empty. */
export function playedParticipant(options: PlayedOptions): PlayedParticipant {
  const { name } = options;
  const turns: Turn[] = [];
  let dialogue: Dialogue | undefined;
  let full = false;
  return {
    name,
    async speak({ task, turns: seen }: Scene, signal) {
      if (full) return undefined;
      const news = newsOf(seen);
      const first = dialogue === undefined;
      dialogue ??= voiceOf(options, task);
      const room = first
        ? dialogue.start(endingWith(options.prompt(task), news))
        : dialogue.hear({ role: "environment", content: news });
      full = !room;
      const utterance = room ? await dialogue.speak(signal) : undefined;
      if (!utterance) return undefined;
      const { message, span } = utterance;
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
      const tokens = dialogue?.tokens;
      return tokens && turns.length > 0 ? { role: name, turns, tokens } : undefined;
    },
    release: () => dialogue?.release(),
  };
}

/** What a policy answers to these messages, once. Undefined: they do not fit, or it was cancelled. */
export async function answerOf(
  options: VoiceOptions,
  messages: readonly Message[],
  task: TaskInfo,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const dialogue = voiceOf(options, task);
  try {
    if (!dialogue.start(messages)) return undefined;
    return (await dialogue.speak(signal))?.message;
  } finally {
    dialogue.release();
  }
}

function voiceOf({ policy, renderer, ...options }: VoiceOptions, task: TaskInfo): Dialogue {
  if (policy.kind === "messages") return new MessageDialogue(policy, task);
  if (renderer) return new TokenDialogue(policy, { renderer, ...options });
  throw new BowlineError("config", `${options.id}: a token policy needs a renderer, got none`);
}

function newsOf(turns: readonly Turn[]): string {
  const { message, observation } = turns.findLast(({ part }) => part === undefined) ?? {
    message: "",
    observation: "",
  };
  return [message.trim(), observation.trim()].filter((text) => text !== "").join("\n");
}

/** A user who knows what was asked for. */
export function userPrompt({ instruction }: TaskInfo): readonly Message[] {
  return [{ role: "user", content: `You asked: ${instruction}\nAnswer your helper.` }];
}

/** A judge who marks the last turn. */
export function judgePrompt({ instruction }: TaskInfo): readonly Message[] {
  return [{ role: "user", content: `Task: ${instruction}\nMark each step from 0 to 1.` }];
}

/** The mark in what a judge says: its first number, if it lies in 0..1. */
export function markOf(text: string): number | undefined {
  const found = /-?\d+(\.\d+)?/.exec(text);
  const mark = found ? Number(found[0]) : Number.NaN;
  return mark >= 0 && mark <= 1 ? mark : undefined;
}
