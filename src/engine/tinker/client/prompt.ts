/** Prompts of sampling calls: a plain array of token ids, or a list whose beginning other prompts share. */
import { createHash, type Hash } from "node:crypto";
import { SharedList, type SharedStart } from "../../../core/index.ts";
import { checkTokens, type TokenBounds } from "./datums.ts";

export type Prompt = readonly number[] | SharedList;

/** Throws an `invalid` error unless the prompt fits into the context and its ids into the vocabulary. */
export function checkPrompt(prompt: Prompt, bounds: TokenBounds): void {
  const { vocabularySize = 2 ** 31, contextLength = Number.POSITIVE_INFINITY } = bounds;
  if (!(prompt instanceof SharedList)) {
    checkTokens(prompt, "the prompt", bounds);
    return;
  }
  const { length } = prompt;
  const isValid = length > 0 && length <= contextLength && prompt.isBelow(vocabularySize);
  if (!isValid) checkTokens(prompt.toArray(), "the prompt", bounds);
}

/** Returns the SHA-256 of path, prompt and the rest of a call; the same as `computeDigest` of their bytes. */
export function digestPrompt(path: string, prompt: Prompt, rest: object): string {
  const hash =
    prompt instanceof SharedList
      ? hashStart(path, prompt.start).update(bytesOf(prompt.rest))
      : beginHash(path).update(bytesOf(Int32Array.from(prompt)));
  return hash.update("\n").update(JSON.stringify(rest)).digest("hex");
}

const beginHash = (path: string) => createHash("sha256").update(path).update("\n");
const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** The state of the hash after a shared beginning, by path. */
const hashes = new WeakMap<SharedStart, Map<string, Hash>>();

function hashStart(path: string, start: SharedStart | undefined): Hash {
  if (start === undefined) return beginHash(path);
  const known = hashes.get(start) ?? new Map<string, Hash>();
  hashes.set(start, known);
  const hash = known.get(path) ?? beginHash(path).update(bytesOf(start.values));
  known.set(path, hash);
  return hash.copy();
}

const EMPTY_TOKENS = '"tokens":[]';

/** The body of a sampling call, which becomes bytes when it is sent. It holds no text of its own. */
export class PromptBody {
  readonly #body: object;
  readonly #prompt: SharedList;

  /** `body` is the whole body with an empty array `tokens`. */
  constructor(body: object, prompt: SharedList) {
    this.#body = body;
    this.#prompt = prompt;
  }

  /** Returns the body as `JSON.stringify` writes it with the prompt's tokens, in parts that follow each other. */
  toParts(): Buffer[] {
    const text = JSON.stringify(this.#body);
    const at = text.indexOf(EMPTY_TOKENS) + EMPTY_TOKENS.length - 1;
    return [
      Buffer.from(text.slice(0, at)),
      ...this.#prompt.textParts(),
      Buffer.from(text.slice(at)),
    ];
  }
}
