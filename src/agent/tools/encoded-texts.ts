/**
 * Encodes the long texts of a request in another thread before it is rendered. The ids are those that the renderer
 * would compute itself, so nothing depends on whether, or when, the thread was used.
 */
import type { SessionMessage, ToolSpec } from "../../spec/index.ts";
import type { EncodedText, EncodeInBackground } from "../../text/index.ts";
import type { RenderedPart } from "../template-text.ts";

/** The ids of texts that were encoded ahead. */
export class EncodedTexts {
  readonly #plain = new Map<string, Uint32Array>();
  readonly #rendered = new Map<string, Uint32Array>();

  find({ text, isPlain }: EncodedText): Uint32Array | undefined {
    return (isPlain ? this.#plain : this.#rendered).get(text);
  }

  add({ text, isPlain }: EncodedText, ids: Uint32Array): void {
    (isPlain ? this.#plain : this.#rendered).set(text, ids);
  }
}

/** Texts of this many characters together are encoded in the thread. The main thread would need 20 to 150 ms. */
const LONG_CHARACTERS = 65_536;
/** Shorter texts cost less than sending them. */
const MIN_CHARACTERS = 64;

/** Tells whether the texts of messages and tools are long enough for the thread, without rendering them. */
export function areLong(messages: readonly SessionMessage[], tools: readonly ToolSpec[]): boolean {
  let characters = 0;
  for (const { parts } of messages) {
    for (const part of parts) {
      characters += part.type === "tool-call" ? part.arguments.length : part.text.length;
    }
  }
  for (const { description = "", parameters } of tools) {
    if (characters >= LONG_CHARACTERS) return true;
    characters += description.length + JSON.stringify(parameters).length;
  }
  return characters >= LONG_CHARACTERS;
}

/**
 * Encodes the texts of a rendered conversation in the thread. When the thread fails, nothing is encoded ahead, and the
 * renderer does the work itself.
 */
export async function encodeAhead(
  parts: readonly RenderedPart[],
  encode: EncodeInBackground,
): Promise<EncodedTexts> {
  const encoded = new EncodedTexts();
  const texts = parts.filter(
    (part): part is EncodedText => typeof part !== "number" && part.text.length >= MIN_CHARACTERS,
  );
  const ids = texts.length === 0 ? [] : await encode(texts).catch(() => []);
  for (const [i, own] of ids.entries()) encoded.add(texts[i]!, own);
  return encoded;
}
