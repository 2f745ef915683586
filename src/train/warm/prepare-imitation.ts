/**
 * Prepares what the warm start imitates: demonstrations of the world's solutions, or recorded conversations of the
 * user's agent. If the model has no tokenizer, one is trained on these texts. Then they are encoded as rows of tokens,
 * and their lengths decide the limits of rollouts. Each demonstration is run, and each row encoded, only once.
 */

import type { ImitationRow } from "../../agent/index.ts";
import type { TaskInfo, Tokenizer, World } from "../../spec/index.ts";
import { type ModelText, trainTokenizer } from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import {
  readFittingRules,
  readRolloutLimits,
  withRolloutLimits,
} from "../fitting/apply-fitting.ts";
import { requireFittingLimits } from "../fitting/contradictions.ts";
import { type FittedValue, type Fitting, fitLimits } from "../fitting/fit-limits.ts";
import { fitObservations } from "../fitting/fit-observations.ts";
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
  describeOutcomes,
  describeThoughts,
  encodeConversations,
  selectFittingConversations,
  thoughtTokens,
} from "./conversations.ts";
import {
  collectDemonstrations,
  demonstrationTexts,
  encodeDemonstrations,
  type ImitationRows,
  type MeasuredRow,
  selectFittingRows,
} from "./demonstrations.ts";

/** The user's choices that decide the warm start. */
interface ImitationRequest {
  readonly config: Config;
  readonly source: ModelSource;
  /** The text of the `tokenizer.json` in the checkpoint; undefined for a new run. */
  readonly tokenizer: string | undefined;
  readonly scaffold: MakeScaffold | undefined;
  readonly agent: OwnAgent | undefined;
  /** False for a run that keeps the limits of an earlier run: one that is continued, or whose warm start is copied. */
  readonly mayChangeLimits: boolean;
  /** The context of a server's model, in tokens; undefined when no server was asked. */
  readonly serverContext: number | undefined;
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
  /** The configuration of the run, with limits that suit what is imitated. */
  readonly config: Config;
  /** What the limits were derived from; undefined when nothing is imitated. */
  readonly fitting: Fitting | undefined;
  /** The text of `tokenizer.json`. */
  readonly tokenizer: string;
  readonly vocabularySize: number;
  /** Files of the model that training starts from. Checkpoints keep them. */
  readonly files: Readonly<Record<string, string>> | undefined;
  readonly agent: Agent;
  /** Creates the agent with other limits. */
  readonly createAgent: (config: Config) => Agent;
  /** The rows to imitate; empty when the warm start is finished. */
  readonly rows: readonly ImitationRow[];
}

/** The demonstrations or conversations to imitate, not yet encoded. */
interface ImitationMaterial {
  readonly count: number;
  readonly name: "demonstrations" | "conversations";
  /** Special tokens that a new model needs for it, besides those of every new model. */
  readonly specials: readonly string[];
  /** Returns the configuration with a cut of observations that suits it. */
  readonly fitObservations: (
    config: Config,
    tokenizer: Tokenizer | undefined,
  ) => FittedObservations;
  /** Returns the texts to train a tokenizer on. */
  readonly texts: (config: Config) => Iterable<string>;
  /** Encodes everything as rows, however long they are. */
  readonly encode: (agent: Agent, text: ModelText | undefined) => readonly MeasuredRow[];
  /** Returns the rows that fit into the limits of the agent. */
  readonly select: (rows: readonly MeasuredRow[], agent: Agent) => Promise<ImitationRows>;
}

type FittedObservations = ReturnType<typeof fitObservations>;

/**
 * Collects what is imitated, fits the limits to it, and creates the agent. If the warm start is already finished, no
 * demonstrations are collected. Throws a `config` error when limits that the user set are too small.
 */
export async function prepareImitation(
  request: ImitationRequest,
  context: ImitationContext,
): Promise<PreparedImitation> {
  const { source, scaffold, agent: ownAgent } = request;
  const { tasks, state, progress } = context;
  const collect = () =>
    ownAgent ? collectConversations(request, ownAgent, context) : collectPrograms(request, context);
  const material = state.warmDone ? NOTHING_TO_IMITATE : await collect();
  const published = publishedModelText(source);
  const known = request.tokenizer ?? published?.tokenizerJson;
  const cut = fitCut(request, material, known);
  const specials = [...newModelSpecialTokens(cut.config), ...material.specials];
  const tokenizer =
    known ??
    progress.runTokenizerTraining(() =>
      trainTokenizer(material.texts(cut.config), { ...cut.config.tokenizer, specials }),
    );
  const runner = createTokenizer(source, tokenizer, cut.config);
  const createText = (config: Config) =>
    ownAgent ? readModelTextOfPolicy(source, tokenizer, config) : published;
  const createRunAgent = (config: Config) =>
    createAgent(config, runner, createText(config), scaffold, ownAgent);
  const measured = material.encode(createRunAgent(cut.config), createText(cut.config));
  const { config, fitting } = fitRows(request, cut, measured, material.name);
  const agent = createRunAgent(config);
  if (tasks[0]) requireRoomToAnswer(agent, tasks[0]);
  const { rows } = await material.select(measured, agent);
  if (!state.warmDone) state.demonstrations = rows.length;
  return {
    ...{ config, fitting, tokenizer, agent, rows, createAgent: createRunAgent },
    vocabularySize: runner.vocabularySize,
    files: createText(config)?.files,
  };
}

/** Returns the configuration with a cut of observations that suits the demonstrations, if limits may change. */
function fitCut(
  { config, source, mayChangeLimits }: ImitationRequest,
  material: ImitationMaterial,
  tokenizer: string | undefined,
): FittedObservations {
  if (!mayChangeLimits) return { config, values: [] };
  const runner = tokenizer === undefined ? undefined : createTokenizer(source, tokenizer, config);
  return material.fitObservations(config, runner);
}

/** Returns the configuration with limits into which the rows fit. Throws when the user's limits do not allow that. */
function fitRows(
  { source, mayChangeLimits, serverContext }: ImitationRequest,
  cut: FittedObservations,
  rows: readonly MeasuredRow[],
  name: ImitationMaterial["name"],
): { readonly config: Config; readonly fitting: Fitting | undefined } {
  if (rows.length === 0) return { config: cut.config, fitting: undefined };
  const lengths = rows.map(({ length }) => length);
  const rules = readFittingRules(cut.config, source, serverContext);
  const share = mayChangeLimits ? rules.share : null;
  const fitted = fitLimits(lengths, readRolloutLimits(cut.config), { ...rules, share });
  requireFittingLimits(lengths, fitted, rules, name);
  const values: readonly FittedValue[] = [...fitted.fitting.values, ...cut.values];
  return {
    config: withRolloutLimits(cut.config, fitted.limits),
    fitting: { what: name, ...fitted.fitting, values },
  };
}

const NOTHING_TO_IMITATE: ImitationMaterial = {
  count: 0,
  name: "demonstrations",
  specials: [],
  fitObservations: (config) => ({ config, values: [] }),
  texts: () => [],
  encode: () => [],
  select: async () => ({ rows: [], leftOut: 0 }),
};

/** Runs solutions of the world's tasks turn by turn. */
async function collectPrograms(
  { config, scaffold: ownScaffold }: ImitationRequest,
  { world, tasks, progress, exceptions, signal }: ImitationContext,
): Promise<ImitationMaterial> {
  const createTextScaffold = (one: Config) => createScaffold(one, undefined, ownScaffold);
  const programs = await progress.runDemonstrations(config.warm.demonstrations, (onDone) =>
    collectDemonstrations(world, tasks, config, createTextScaffold(config), { onDone, signal }),
  );
  exceptions.addAll(programs);
  return {
    count: programs.length,
    name: "demonstrations",
    specials: [],
    fitObservations: (one, tokenizer) =>
      // The observations of a user's own scaffold are not cut by the configuration.
      ownScaffold
        ? { config: one, values: [] }
        : fitObservations(one, programs, one.fitting, tokenizer),
    texts: (one) => demonstrationTexts(programs, createTextScaffold(one), one),
    encode: (agent) => encodeDemonstrations(programs, agent),
    select: (rows, agent) => selectFittingRows(programs, rows, agent, config),
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
    name: "conversations",
    specials: thoughtTokens(conversations),
    fitObservations: (one) => ({ config: one, values: [] }),
    texts: () => conversationTexts(conversations),
    // A user's agent asks for answers, so a model that can think is told not to.
    encode: (_agent, text) => {
      const renderer = createConversationRenderer(text!, config, { thinking: false });
      const notes = [describeOutcomes(conversations), describeThoughts(conversations, renderer)];
      for (const note of notes) if (note !== undefined) onNote(note);
      return encodeConversations(conversations, renderer);
    },
    select: async (rows, { scaffold }) => selectFittingConversations(rows, scaffold.limits),
  };
}
