/** How the configured agent talks: the scaffold and, for policies with tokens, the renderer. */
import { chatRenderer, compactRenderer, compactScaffold, reactScaffold } from "../agent/index.ts";
import { BowlineError, hash32 } from "../core/index.ts";
import type { Renderer, Scaffold, Tokenizer } from "../spec/index.ts";
import type { ModelText } from "../text/index.ts";
import type { Config } from "./config.ts";

export interface Agent {
  readonly scaffold: Scaffold;
  readonly renderer: Renderer;
}

/** `text`: how the model's own conversations are written; needed by the react scaffold. */
export function agentOf(config: Config, tokenizer: Tokenizer, text?: ModelText): Agent {
  const scaffold = scaffoldOf(config, tokenizer);
  if (config.scaffold.name === "compact") return { scaffold, renderer: compactRenderer(tokenizer) };
  if (text !== undefined) return { scaffold, renderer: reactRenderer(config, text) };
  throw new BowlineError(
    "config",
    "scaffold.name: react needs the tokenizer and the chat template of a published model (engine.model)",
  );
}

/** Without a tokenizer for looking at only: observations are then cut by characters. */
export function scaffoldOf({ scaffold }: Config, tokenizer?: Tokenizer): Scaffold {
  const { maxTurns, maxTurnTokens, maxTokens } = scaffold;
  const limits = { maxTurns, maxTurnTokens, maxTokens };
  if (scaffold.name === "react") {
    const { maxObservationTokens } = scaffold;
    return reactScaffold({ ...limits, maxObservationTokens }, tokenizer);
  }
  const { maxObservationCharacters, maxObservationLines } = scaffold;
  return compactScaffold({ ...limits, maxObservationCharacters, maxObservationLines });
}

/** Templates with a mode for thinking are told which; for the others, asking for it is an error. */
function reactRenderer({ scaffold }: Config, text: ModelText): Renderer {
  const { tokenizer, generation } = text;
  const template = text.chatTemplate();
  const question = [{ role: "user", content: "Hello" }];
  const written = (thinking: boolean) =>
    template.render(question, {
      addGenerationPrompt: true,
      variables: { enable_thinking: thinking },
    });
  const canThink = written(true) !== written(false);
  if (scaffold.thinking && !canThink) {
    throw new BowlineError(
      "config",
      "scaffold.thinking: the model's chat template has no mode for thinking (`enable_thinking`), so true would change nothing",
    );
  }
  return chatRenderer({
    template,
    tokenizer,
    stopIds: generation.stopIds,
    ...(canThink && { variables: { enable_thinking: scaffold.thinking } }),
  });
}

/**
 * The random stream of one piece of work, by its name: an unsigned 32-bit integer. Nothing else decides what is drawn,
 * so the order in which work is done or finishes changes nothing.
 */
export function streamOf(seed: number, ...name: readonly (string | number)[]): number {
  return hash32(name.join("/"), seed);
}
