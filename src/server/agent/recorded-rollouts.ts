/**
 * Turns recorded conversations with outcomes into rollouts, from which methods learn as from the policy's own ones.
 * Conversations that begin with the same messages and tools are attempts at one task. A conversation without an outcome
 * is left out.
 */
import { createHash } from "node:crypto";
import { type ConversationRenderer, isWithinLimits } from "../../agent/index.ts";
import { assert, BowlineError, groupBy } from "../../core/index.ts";
import {
  needsVersion2,
  type RecordedConversation,
  type Rollout,
  type RolloutLimits,
  rolloutSchema,
  type TaskInfo,
} from "../../spec/index.ts";
import { type Config, encodeConversation } from "../../train/index.ts";

/** A conversation whose outcome is known. */
type RatedConversation = RecordedConversation & { readonly reward: number };

/** Recorded conversations with outcomes. */
export interface RatedRecordings {
  /** The tasks of the conversations, each once: what came before the first answer. */
  readonly tasks: readonly TaskInfo[];
  /** Throws a `config` error when the method finds nothing to learn: no success to imitate, or no pair to compare. */
  requireLesson(config: Config): void;
  /** Sets the model's chat template and the limits of an episode. It must be called before `rollouts`. */
  setModel(renderer: ConversationRenderer, limits: RolloutLimits): void;
  /**
   * Returns the conversations that fit the limits of an episode, as rollouts. Throws a `config` error when more than
   * half of them do not fit.
   */
  rollouts(): readonly Rollout[];
}

/**
 * Chooses the conversations with outcomes. `passAt` is the least reward of a success. Throws a `config` error when no
 * conversation has an outcome.
 */
export function rateRecordings(
  conversations: readonly RecordedConversation[],
  options: {
    readonly method: string;
    readonly passAt: number;
    readonly onNote: (text: string) => void;
  },
): RatedRecordings {
  const rated = conversations.filter((one): one is RatedConversation => one.reward !== undefined);
  const unrated = conversations.length - rated.length;
  const { method, passAt, onNote } = options;
  if (rated.length === 0) {
    throw configError(
      `recordings: expected conversations with outcomes, and none of ${unrated} has a reward, a thumb or an edit; add outcomes, or imitate them as warmStart.conversations`,
    );
  }
  if (unrated > 0) {
    onNote(
      `${unrated} of ${conversations.length} recordings have no outcome (reward, thumb or edit), so ${method} does not learn from them`,
    );
  }
  const attempts = rated.map((conversation) => ({ conversation, task: createTask(conversation) }));
  let encode: (() => readonly Rollout[]) | undefined;
  let encoded: readonly Rollout[] | undefined;
  return {
    tasks: [...new Map(attempts.map(({ task }) => [task.id, task])).values()],
    requireLesson: (config) => {
      if (method === "dmpo") requirePair(attempts);
      else if (!weighsByReturn(config)) requireSuccess(rated, method, passAt);
    },
    setModel(renderer, limits) {
      encode = () => encodeFitting(attempts, renderer, limits, options);
    },
    rollouts() {
      assert(encode, "the model is known before an iteration");
      encoded ??= encode();
      return encoded;
    },
  };
}

function encodeFitting(
  attempts: readonly Attempt[],
  renderer: ConversationRenderer,
  limits: RolloutLimits,
  { passAt, onNote }: { readonly passAt: number; readonly onNote: (text: string) => void },
): readonly Rollout[] {
  const encoded = encodeAttempts(attempts, renderer, limits, passAt);
  const tooLong = attempts.length - encoded.length;
  if (tooLong === 0) return encoded;
  const text = `${tooLong} of ${attempts.length} recordings are longer than the limits scaffold.maxTokens, maxTurns or maxTurnTokens and are left out`;
  if (tooLong * 2 > attempts.length) throw configError(`recordings: ${text}; raise the limits`);
  onNote(text);
  return encoded;
}

/** Returns true if imitation weighs all rollouts by their returns, so that it needs no success. */
function weighsByReturn(config: Config): boolean {
  const { imitation } = config as { readonly imitation?: { readonly temperature?: number | null } };
  return typeof imitation?.temperature === "number";
}

function requireSuccess(rated: readonly RatedConversation[], method: string, passAt: number): void {
  if (rated.some(({ reward }) => reward >= passAt)) return;
  throw configError(
    `recordings: ${method} imitates conversations with a reward of at least ${passAt} (passAt), and none of ${rated.length} has one; lower passAt, add edits, or set imitation.temperature to weigh all of them`,
  );
}

function requirePair(attempts: readonly Attempt[]): void {
  const groups = [...groupBy(attempts, ({ task }) => task.id).values()];
  const differs = (group: readonly Attempt[]) =>
    new Set(group.map(({ conversation }) => conversation.reward)).size > 1;
  if (groups.some(differs)) return;
  throw configError(
    `recordings: dmpo compares conversations that begin with the same messages and have different outcomes, and of ${attempts.length} with outcomes no two do; add edits, record several attempts at a request, or choose rft`,
  );
}

/** Creates the task of a conversation. Its id depends on the messages before the first answer, and on the tools. */
function createTask({ messages, tools }: RecordedConversation): TaskInfo {
  const first = messages.findIndex(({ role }) => role === "assistant");
  const opening = messages.slice(0, first < 0 ? messages.length : first);
  const digest = createHash("sha256")
    .update(JSON.stringify([opening, tools ?? []]))
    .digest("hex");
  const scenario = `recorded/${digest.slice(0, 16)}`;
  const said = opening.filter(({ role }) => role === "user").flatMap(({ parts }) => parts);
  return {
    id: `${scenario}/0`,
    scenario,
    split: "train",
    difficulty: 1,
    signature: "recorded",
    instruction: said.map((part) => (part.type === "text" ? part.text : "")).join("\n"),
  };
}

interface Attempt {
  readonly conversation: RatedConversation;
  readonly task: TaskInfo;
}

function encodeAttempts(
  attempts: readonly Attempt[],
  renderer: ConversationRenderer,
  limits: RolloutLimits,
  passAt: number,
): Rollout[] {
  const seen = new Map<string, number>();
  return attempts.flatMap(({ conversation, task }, i) => {
    const { ids, mask, length } = encodeConversation(conversation, renderer);
    if (!isWithinLimits(length, limits)) return [];
    const index = seen.get(task.id) ?? 0;
    seen.set(task.id, index + 1);
    const { reward } = conversation;
    const shape = {
      id: `recorded/${i}`,
      task: { ...task },
      index,
      stream: 0,
      temperature: 1,
      policyVersion: -1,
      turns: findAnswerSpans(mask).map((span) => ({
        message: renderer.text(ids.slice(...span)),
        code: "",
        observation: "",
        status: "ok",
        calls: [],
        span,
      })),
      outcome: "finished",
      evaluation: { passed: reward >= passAt, finished: true, checks: [], reward },
      tokens: { ids: [...ids], mask: [...mask], logprobs: ids.map(() => 0) },
    };
    const version = needsVersion2(shape) ? 2 : 1;
    return [Object.freeze(rolloutSchema.parse({ version, ...shape }))];
  });
}

/** Returns the ranges of imitated tokens, where the mask is 1. The end of a range is exclusive. */
function findAnswerSpans(mask: readonly (0 | 1)[]): [number, number][] {
  const starts = mask.flatMap((m, i) => (m === 1 && mask[i - 1] !== 1 ? [i] : []));
  return starts.map((start) => {
    const length = mask.slice(start).indexOf(0);
    return [start, length < 0 ? mask.length : start + length];
  });
}

const configError = (message: string) => new BowlineError("config", message);
