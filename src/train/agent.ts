/** How the configured agent talks: the scaffold and, for policies with tokens, the renderer. */
import { compactRenderer, compactScaffold } from "../agent/index.ts";
import { hash32 } from "../core/index.ts";
import type { Renderer, Scaffold, Tokenizer } from "../spec/index.ts";
import type { Config } from "./config.ts";

export interface Agent {
  readonly scaffold: Scaffold;
  readonly renderer: Renderer;
}

export function agentOf(config: Config, tokenizer: Tokenizer): Agent {
  return { scaffold: scaffoldOf(config), renderer: compactRenderer(tokenizer) };
}

export function scaffoldOf({ scaffold }: Config): Scaffold {
  const { evaluationTurns: _, ...limits } = scaffold;
  return compactScaffold(limits);
}

/**
 * The random stream of one piece of work, by its name: an unsigned 32-bit integer. Nothing else decides what is drawn,
 * so the order in which work is done or finishes changes nothing.
 */
export function streamOf(seed: number, ...name: readonly (string | number)[]): number {
  return hash32(name.join("/"), seed);
}
