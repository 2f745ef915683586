/** How the configured agent talks: the scaffold and, for policies with tokens, the renderer. */
import {
  chatRenderer,
  compactRenderer,
  compactScaffold,
  compactToolsScaffold,
  fencedScaffold,
  type Player,
  reactScaffold,
  toolsScaffold,
} from "../../agent/index.ts";
import { BowlineError } from "../../core/index.ts";
import type { Renderer, RolloutLimits, Scaffold, TaskInfo, Tokenizer } from "../../spec/index.ts";
import type { ModelText } from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import { isScaffoldName, scaffoldUsesMarkers } from "../config/scaffolds.ts";
import { loadDefaultFunction } from "../config/user-modules.ts";
import { createConversationRenderer } from "./conversation-renderer.ts";
import { ABSENT_PLAYER, createAgentScaffold, type OwnAgent } from "./own-agent.ts";

export interface Agent {
  readonly scaffold: Scaffold;
  readonly renderer: Renderer;
  /** An agent of the user's own, which plays instead. */
  readonly player?: Player;
}

/**
 * Makes a scaffold of one's own from the configured limits; without a tokenizer for looking at only. What a module
 * named by `scaffold.name` exports as its default, or what `train()` is handed.
 */
export type MakeScaffold = (limits: RolloutLimits, tokenizer?: Tokenizer) => Scaffold;

/**
 * `text`: how the model's own conversations are written; needed by the scaffolds that speak in a chat template. `own`:
 * a scaffold of the user's, which speaks in the model's chat template where there is one, and between markers where
 * there is none. `agent`: who plays where `scaffold.name` is "agent".
 */
export function createAgent(
  config: Config,
  tokenizer: Tokenizer,
  text?: ModelText,
  own?: MakeScaffold,
  agent?: OwnAgent,
): Agent {
  const scaffold = createScaffold(config, tokenizer, own);
  if (config.scaffold.name === "agent" && text !== undefined) {
    // A model that may think is told not to: an agent asks for answers.
    const talk = createConversationRenderer(text, { thinking: false });
    const player = agent?.player(talk, config) ?? ABSENT_PLAYER;
    return { scaffold, renderer: createTemplateRenderer(config, text), player };
  }
  const isPlain =
    scaffoldUsesMarkers(config.scaffold.name) || (own && text?.hasChatTemplate !== true);
  if (isPlain) return { scaffold, renderer: compactRenderer(tokenizer) };
  if (text !== undefined) return { scaffold, renderer: createTemplateRenderer(config, text) };
  throw new BowlineError(
    "config",
    `scaffold.name: ${config.scaffold.name} needs the tokenizer and the chat template of a published model (engine.model)`,
  );
}

/** Throws a `config` error where what is said before the first turn leaves no token to answer with. */
export function requireRoomToAnswer({ scaffold, renderer, player }: Agent, task: TaskInfo): void {
  // What an agent of the user's own says first, nobody knows before it says it.
  if (player) return;
  const { maxTokens } = scaffold.limits;
  const opening = renderer.start(scaffold.start(task)).length;
  if (opening < maxTokens) return;
  throw new BowlineError(
    "config",
    `scaffold.maxTokens: the opening of scaffold ${scaffold.name} alone has ${opening} tokens for task ${task.id}, and a row may have ${maxTokens}; allow more, or take a shorter scaffold`,
  );
}

/** Without a tokenizer for looking at only: observations are then cut by characters. */
export function createScaffold(
  { scaffold }: Config,
  tokenizer?: Tokenizer,
  own?: MakeScaffold,
): Scaffold {
  const { maxTurns, maxTurnTokens, maxTokens } = scaffold;
  const limits = { maxTurns, maxTurnTokens, maxTokens };
  if (own) return wrapOwnScaffold(limits, own(limits, tokenizer));
  if (scaffold.name === "agent") return createAgentScaffold(limits);
  if ("maxObservationTokens" in scaffold) {
    const { name, maxObservationTokens } = scaffold;
    return SCAFFOLDS_WITH_TEMPLATE[name]({ ...limits, maxObservationTokens }, tokenizer);
  }
  if ("maxObservationCharacters" in scaffold) {
    const { name, maxObservationCharacters, maxObservationLines } = scaffold;
    const make = name === "compact" ? compactScaffold : compactToolsScaffold;
    return make({ ...limits, maxObservationCharacters, maxObservationLines });
  }
  throw new BowlineError("config", `scaffold.name: ${scaffold.name} was not loaded`);
}

const SCAFFOLDS_WITH_TEMPLATE = {
  fenced: fencedScaffold,
  react: reactScaffold,
  tools: toolsScaffold,
};

/** The configuration's limits count. A scaffold may be a class, whose methods a spread would lose. */
function wrapOwnScaffold(limits: RolloutLimits, made: Scaffold): Scaffold {
  const parts = ["start", "observe", "extractCode"] as const;
  const missing = parts.filter((name) => typeof made?.[name] !== "function");
  if (missing.length > 0) {
    throw new BowlineError(
      "config",
      `scaffold: what was made is no whole scaffold, it has no ${missing.join(", ")}`,
    );
  }
  return {
    name: made.name,
    limits,
    start: (task) => made.start(task),
    observe: (task, result, place) => made.observe(task, result, place),
    extractCode: (message) => made.extractCode(message),
    ...(made.messageOf && { messageOf: (code: string) => made.messageOf!(code) }),
    ...(made.cellsOf && { cellsOf: (solution) => made.cellsOf!(solution) }),
  };
}

/**
 * The package's scaffold that the configuration names, for looking at only; undefined: it names one of the user's own.
 */
export function findPackageScaffold(config: Config): Scaffold | undefined {
  return isScaffoldName(config.scaffold.name) ? createScaffold(config) : undefined;
}

/** The user's own scaffold that the configuration names; undefined: it names one of the package. */
export async function loadOwnScaffold({ scaffold }: Config): Promise<MakeScaffold | undefined> {
  if (isScaffoldName(scaffold.name)) return undefined;
  const signature = "(limits, tokenizer?) => scaffold";
  return (await loadDefaultFunction("scaffold.name", scaffold.name, signature)) as MakeScaffold;
}

/** Templates with a mode for thinking are told which; for the others, asking for it is an error. */
function createTemplateRenderer({ scaffold }: Config, text: ModelText): Renderer {
  const { tokenizer, generation } = text;
  const template = text.chatTemplate();
  const question = [{ role: "user", content: "Hello" }];
  const renderQuestion = (isThinking: boolean) =>
    template.render(question, {
      addGenerationPrompt: true,
      variables: { enable_thinking: isThinking },
    });
  const canThink = renderQuestion(true) !== renderQuestion(false);
  const thinking = "thinking" in scaffold && scaffold.thinking;
  if (thinking && !canThink) {
    throw new BowlineError(
      "config",
      "scaffold.thinking: the model's chat template has no mode for thinking (`enable_thinking`), so true would change nothing",
    );
  }
  return chatRenderer({
    template,
    tokenizer,
    stopIds: generation.stopIds,
    ...(canThink && { variables: { enable_thinking: thinking } }),
  });
}
