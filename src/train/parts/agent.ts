/**
 * Creates the agent of a configuration: its scaffold and, for policies with tokens, the renderer that turns messages
 * into tokens.
 */
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
import { BowlineError, type ModuleOrigin } from "../../core/index.ts";
import type { Renderer, RolloutLimits, Scaffold, TaskInfo, Tokenizer } from "../../spec/index.ts";
import type { ModelText } from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import { isScaffoldName, scaffoldUsesMarkers } from "../config/scaffolds.ts";
import { loadDefaultFunction } from "../config/user-modules.ts";
import { createConversationRenderer } from "./conversation-renderer.ts";
import { ABSENT_PLAYER, createAgentScaffold, type OwnAgent } from "./own-agent.ts";
import { datedChatTemplate } from "./prompt-date.ts";

/** Turns an episode into prompts for a policy, and the policy's answers into code. */
export interface Agent {
  readonly scaffold: Scaffold;
  readonly renderer: Renderer;
  /** The user's own agent, which plays whole episodes itself; absent if a scaffold plays. */
  readonly player?: Player;
}

/**
 * A user's function that makes a scaffold with the configured limits. It is the default export of the module that
 * `scaffold.name` names, or an option of `train()`. When the scaffold is only inspected, it gets no tokenizer.
 */
export type MakeScaffold = (limits: RolloutLimits, tokenizer?: Tokenizer) => Scaffold;

/**
 * Creates the agent. `text` has the model's chat template, which some scaffolds need. `makeScaffold` makes a user's own
 * scaffold, which uses the model's chat template or, without one, markers. `ownAgent` plays the episodes if
 * `scaffold.name` is "agent".
 */
export function createAgent(
  config: Config,
  tokenizer: Tokenizer,
  text?: ModelText,
  makeScaffold?: MakeScaffold,
  ownAgent?: OwnAgent,
): Agent {
  const scaffold = createScaffold(config, tokenizer, makeScaffold);
  if (config.scaffold.name === "agent" && text !== undefined) {
    // A user's agent asks for answers, so a model that can think is told not to.
    const talk = createConversationRenderer(text, config, { thinking: false });
    const player = ownAgent?.player(talk, config) ?? ABSENT_PLAYER;
    return { scaffold, renderer: createTemplateRenderer(config, text), player };
  }
  const isPlain =
    scaffoldUsesMarkers(config.scaffold.name) || (makeScaffold && text?.hasChatTemplate !== true);
  if (isPlain) return { scaffold, renderer: compactRenderer(tokenizer) };
  if (text !== undefined) return { scaffold, renderer: createTemplateRenderer(config, text) };
  throw new BowlineError(
    "config",
    `scaffold.name: ${config.scaffold.name} needs the tokenizer and the chat template of a published model (engine.model)`,
  );
}

/**
 * Throws a `config` error when the prompt of the first turn fills the context, so that no token is left for an answer.
 */
export function requireRoomToAnswer({ scaffold, renderer, player }: Agent, task: TaskInfo): void {
  // The first prompt of a user's own agent is not known before the agent plays.
  if (player) return;
  const { maxTokens } = scaffold.limits;
  const opening = renderer.start(scaffold.start(task)).length;
  if (opening < maxTokens) return;
  throw new BowlineError(
    "config",
    `scaffold.maxTokens: the first prompt of scaffold ${scaffold.name} alone has ${opening} tokens for task ${task.id}, and a conversation may have ${maxTokens}; allow more tokens, or choose a scaffold with a shorter prompt`,
  );
}

/** Creates the scaffold. Without a tokenizer it cuts observations by characters, which is enough to inspect it. */
export function createScaffold(
  { scaffold }: Config,
  tokenizer?: Tokenizer,
  makeScaffold?: MakeScaffold,
): Scaffold {
  const { maxTurns, maxTurnTokens, maxTokens } = scaffold;
  const limits = { maxTurns, maxTurnTokens, maxTokens };
  if (makeScaffold) return wrapOwnScaffold(limits, makeScaffold(limits, tokenizer));
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

/**
 * Checks a user's scaffold and gives it the configured limits. It may be an object of a class, so its methods are
 * forwarded one by one.
 */
function wrapOwnScaffold(limits: RolloutLimits, made: Scaffold): Scaffold {
  const parts = ["start", "observe", "extractCode"] as const;
  const missing = parts.filter((name) => typeof made?.[name] !== "function");
  if (missing.length > 0) {
    throw new BowlineError(
      "config",
      `scaffold: expected a scaffold with start, observe and extractCode, but it has no ${missing.join(", ")}`,
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
 * Returns the package's scaffold that this configuration names, for inspection; undefined if it names a user's own
 * scaffold.
 */
export function findPackageScaffold(config: Config): Scaffold | undefined {
  return isScaffoldName(config.scaffold.name) ? createScaffold(config) : undefined;
}

/**
 * Loads the user's own scaffold that the configuration names; undefined if it names a scaffold of the package. `origin`
 * says who named it.
 */
export async function loadOwnScaffold(
  { scaffold }: Config,
  origin: ModuleOrigin,
): Promise<MakeScaffold | undefined> {
  if (isScaffoldName(scaffold.name)) return undefined;
  const load = loadDefaultFunction("scaffold.name", scaffold.name, origin, SCAFFOLD_SIGNATURE);
  return (await load) as MakeScaffold;
}

const SCAFFOLD_SIGNATURE = "(limits, tokenizer?) => scaffold";

/**
 * Creates a renderer with the model's chat template. Throws if the model should think but its template has no thinking
 * mode.
 */
function createTemplateRenderer(config: Config, text: ModelText): Renderer {
  const { scaffold } = config;
  const { tokenizer, generation } = text;
  const template = datedChatTemplate(text, config);
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
