/**
 * Renders messages as token ids between one-token markers:
 *
 *     <|task|> instruction <|code|> code <|run|> observation <|code|> code <|run|> ...
 *
 * The agent writes code and ends its turn with `<|run|>`. Every segment is encoded separately and only once, and a row
 * is a concatenation of segments. What was sampled is never encoded again.
 */
import type { Message, Renderer, Tokenizer } from "../spec/index.ts";
import { SPECIAL_TOKENS } from "../text/index.ts";

/** Creates the renderer. Throws a `config` error when the tokenizer lacks one of `SPECIAL_TOKENS`. */
export function compactRenderer(tokenizer: Tokenizer): Renderer {
  const special = new Set(SPECIAL_TOKENS.map((name) => tokenizer.special(name)));
  const task = tokenizer.special("<|task|>");
  const code = tokenizer.special("<|code|>");
  const run = tokenizer.special("<|run|>");
  const encodeMessage = ({ role, content }: Message) =>
    role === "assistant"
      ? [code, ...tokenizer.encode(content), run]
      : [...(role === "environment" ? [] : [task]), ...tokenizer.encode(content)];
  return {
    start: (messages) => [...messages.flatMap(encodeMessage), code],
    next: (observation) => [...tokenizer.encode(observation.content), code],
    stopIds: [run],
    forcedEnd: [run],
    // A marker that was sampled within a turn is an action, but it is not text.
    text: (tokens) => tokenizer.decode(tokens.filter((id) => !special.has(id))),
    turn: (text) => [...tokenizer.encode(text), run],
  };
}
