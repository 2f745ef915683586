/**
 * Prepares what the warm start imitates: demonstrations of the world's solutions, or recorded conversations of the
 * user's agent. If the model has no tokenizer, one is trained on these texts. Then they are encoded as rows of tokens.
 */

import type { ImitationRow } from "../../agent/index.ts";
import type { TaskInfo, World } from "../../spec/index.ts";
import { type ModelText, trainTokenizer } from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import {
  type Agent,
  createAgent,
  createScaffold,
  type MakeScaffold,
  requireRoomToAnswer,
} from "../parts/agent.ts";
import { createConversationRenderer } from "../parts/conversation-renderer.ts";
import {
  createTokenizer,
  type ModelSource,
  newModelSpecialTokens,
  publishedModelText,
  readModelTextOfPolicy,
} from "../parts/model-source.ts";
import type { OwnAgent } from "../parts/own-agent.ts";
import type { OnEvent } from "../run/events.ts";
import type { ExceptionLog } from "../run/handler-exceptions.ts";
import type { Progress } from "../run/progress.ts";
import type { TrainerState } from "../run/trainer-state.ts";
import {
  conversationTexts,
  describeThoughts,
  encodeConversations,
  thoughtTokens,
} from "./conversations.ts";
import {
  collectDemonstrations,
  demonstrationTexts,
  encodeImitationRows,
  type ImitationRows,
} from "./demonstrations.ts";

/** The user's choices that decide the warm start. */
interface ImitationRequest {
  readonly config: Config;
  readonly source: ModelSource;
  /** The text of the `tokenizer.json` in the checkpoint; undefined for a new run. */
  readonly tokenizer: string | undefined;
  readonly scaffold: MakeScaffold | undefined;
  readonly agent: OwnAgent | undefined;
}

/** The parts of a run that the preparation uses, and to which it reports. */
interface ImitationContext {
  readonly world: World;
  readonly tasks: readonly TaskInfo[];
  readonly state: TrainerState;
  readonly progress: Progress;
  readonly exceptions: ExceptionLog;
  readonly onEvent: OnEvent;
  readonly signal: AbortSignal | undefined;
}

/** The agent to train, and the rows that it imitates first. */
export interface PreparedImitation {
  /** The text of `tokenizer.json`. */
  readonly tokenizer: string;
  readonly vocabularySize: number;
  /** Files of the model that training starts from. Checkpoints keep them. */
  readonly files: Readonly<Record<string, string>> | undefined;
  readonly agent: Agent;
  /** The rows to imitate; empty when the warm start is finished. */
  readonly rows: readonly ImitationRow[];
}

/** The demonstrations or conversations to imitate, not yet encoded. */
interface ImitationMaterial {
  readonly count: number;
  /** Special tokens that a new model needs for it, besides those of every new model. */
  readonly specials: readonly string[];
  /** Returns the texts to train a tokenizer on. */
  readonly texts: () => Iterable<string>;
  readonly rows: (agent: Agent, text: ModelText | undefined) => Promise<ImitationRows>;
}

/**
 * Collects what is imitated, and creates the agent. If the warm start is already finished, no demonstrations are
 * collected.
 */
export async function prepareImitation(
  request: ImitationRequest,
  context: ImitationContext,
): Promise<PreparedImitation> {
  const { config, source, scaffold, agent: ownAgent } = request;
  const { tasks, state, progress, onEvent } = context;
  const collect = () =>
    ownAgent ? collectConversations(request, ownAgent, context) : collectPrograms(request, context);
  const material = state.warmDone ? NOTHING_TO_IMITATE : await collect();
  const published = publishedModelText(source);
  const specials = [...newModelSpecialTokens(config), ...material.specials];
  const tokenizer =
    request.tokenizer ??
    published?.tokenizerJson ??
    progress.runTokenizerTraining(() =>
      trainTokenizer(material.texts(), { ...config.tokenizer, specials }),
    );
  const runner = createTokenizer(source, tokenizer, config);
  const text = ownAgent ? readModelTextOfPolicy(source, tokenizer, config) : published;
  const agent = createAgent(config, runner, text, scaffold, ownAgent);
  if (tasks[0]) requireRoomToAnswer(agent, tasks[0]);
  const { rows, leftOut } = await material.rows(agent, text);
  if (!state.warmDone) state.demonstrations = rows.length;
  if (leftOut > 0) {
    const note = `${leftOut} of ${material.count} demonstrations are longer than the scaffold's limits and are left out`;
    onEvent({ type: "note", text: note });
  }
  return { tokenizer, vocabularySize: runner.vocabularySize, files: text?.files, agent, rows };
}

const NOTHING_TO_IMITATE: ImitationMaterial = {
  count: 0,
  specials: [],
  texts: () => [],
  rows: async () => ({ rows: [], leftOut: 0 }),
};

/** Runs solutions of the world's tasks turn by turn. */
async function collectPrograms(
  { config, scaffold: ownScaffold }: ImitationRequest,
  { world, tasks, progress, exceptions, signal }: ImitationContext,
): Promise<ImitationMaterial> {
  const scaffold = createScaffold(config, undefined, ownScaffold);
  const programs = await progress.runDemonstrations(config.warm.demonstrations, (onDone) =>
    collectDemonstrations(world, tasks, config, scaffold, { onDone, signal }),
  );
  exceptions.addAll(programs);
  return {
    count: programs.length,
    specials: [],
    texts: () => demonstrationTexts(programs, scaffold, config),
    rows: (agent) => encodeImitationRows(programs, agent, config),
  };
}

/** Gets recorded conversations from the user's agent. */
async function collectConversations(
  { config }: ImitationRequest,
  agent: OwnAgent,
  { world, tasks, progress, onEvent, signal }: ImitationContext,
): Promise<ImitationMaterial> {
  const onNote = (text: string) => onEvent({ type: "note", text });
  const conversations = await progress.runDemonstrations(config.warm.demonstrations, (onDone) =>
    agent.conversations(config, { world, tasks, onDone, onNote, signal }),
  );
  return {
    count: conversations.length,
    specials: thoughtTokens(conversations),
    texts: () => conversationTexts(conversations),
    // A user's agent asks for answers, so a model that can think is told not to.
    rows: async (_agent, text) => {
      const renderer = createConversationRenderer(text!, config, { thinking: false });
      const note = describeThoughts(conversations, renderer);
      if (note !== undefined) onNote(note);
      return encodeConversations(conversations, renderer, config);
    },
  };
}
