/**
 * Reads from the text of a chat template where a turn ends, and encodes a rendered text piece by piece. The renderers
 * that turn conversations into token rows by a template use these parts.
 */
import { BowlineError } from "../core/index.ts";
import type { Tokenizer } from "../spec/index.ts";
import type { EncodedText } from "../text/index.ts";

export interface ChatTokenizer extends Pick<Tokenizer, "encode" | "decode"> {
  /** Encodes a rendered template. The names of special tokens in the text become those tokens. */
  encodeRendered(text: string): readonly number[];
  readonly specials: ReadonlyMap<string, number>;
}

/** Tells whether a call succeeds. What a chat template supports is found out by trying it. */
export function doesNotThrow(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

export interface EndOfTurn {
  /** The text that the template writes at the end of a turn. Some templates put a space before the token. */
  readonly text: string;
  readonly id: number;
}

/**
 * Finds the special token that ends a turn. `rest` is the text after an answer. Throws a `checkpoint` error when `rest`
 * does not begin with a special token.
 */
export function findEndOfTurn(rest: string, specials: ChatTokenizer["specials"]): EndOfTurn {
  const leadingSpace = /^\s*/.exec(rest)?.[0] ?? "";
  const afterSpace = rest.slice(leadingSpace.length);
  // When two special tokens match, the longer one is meant.
  const [name, id] =
    [...specials].filter(([token]) => afterSpace.startsWith(token)).sort(compareByLength)[0] ?? [];
  if (name !== undefined && id !== undefined) return { text: leadingSpace + name, id };
  throw new BowlineError(
    "checkpoint",
    `chat template: expected a special token at the end of an assistant's turn, where the model can be stopped, got ${JSON.stringify(rest.slice(0, 40))}`,
  );
}

const compareByLength = ([a]: [string, number], [b]: [string, number]) => b.length - a.length;

/** A part of a rendered text: the id of a special token, or a text between special tokens. */
export type RenderedPart = number | EncodedText;

export interface PieceEncoder {
  /** Cuts a rendered text at its special tokens, where the tokenizer allows it. */
  split(text: string): readonly RenderedPart[];
  /** Returns the ids of a piece that `split` returned, and remembers them. */
  encodePiece(text: string): ArrayLike<number>;
  /** Returns the ids of a whole text, which are those of `encodeRendered`. */
  encode(text: string): readonly number[];
}

/**
 * The number of characters of the text pieces whose ids are remembered. The opening is long, and all of it except the
 * last message is the same for all tasks. Rollouts of a task often see the same observation.
 */
const MAX_REMEMBERED_CHARACTERS = 4_000_000;

/**
 * Creates an encoder that encodes each piece between special tokens only once. Some tokenizers let special tokens
 * absorb the spaces around them. There the pieces would differ from the whole text, so the whole text is encoded.
 */
export function createPieceEncoder({ encodeRendered, specials }: ChatTokenizer): PieceEncoder {
  const pattern = specialPattern(specials);
  const whole: PieceEncoder = {
    split: (text) => [{ text, isPlain: false }],
    encodePiece: encodeRendered,
    encode: encodeRendered,
  };
  if (pattern === undefined) return whole;
  const idsByPiece = new Map<string, Int32Array>();
  let characters = 0;
  const encodePiece = (piece: string) => {
    const ids = idsByPiece.get(piece) ?? Int32Array.from(encodeRendered(piece));
    // The piece goes to the end of the map, whose first piece was used longest ago.
    if (!idsByPiece.delete(piece)) characters += piece.length;
    idsByPiece.set(piece, ids);
    for (const [oldest] of idsByPiece) {
      if (characters <= MAX_REMEMBERED_CHARACTERS) break;
      idsByPiece.delete(oldest);
      characters -= oldest.length;
    }
    return ids;
  };
  const split = (text: string) =>
    text
      .split(pattern)
      .map((piece): RenderedPart => specials.get(piece) ?? { text: piece, isPlain: false });
  const encode = (text: string) => joinParts(split(text), (part) => encodePiece(part.text));
  const probe = [...specials.keys()].map((token) => `\n a ${token} b \n`).join("");
  return encode(probe).join() === encodeRendered(probe).join()
    ? { split, encodePiece, encode }
    : whole;
}

/** Returns the ids of all parts together. */
export function joinParts(
  parts: readonly RenderedPart[],
  encode: (part: EncodedText) => ArrayLike<number>,
): readonly number[] {
  const ids: number[] = [];
  for (const part of parts) {
    if (typeof part === "number") {
      ids.push(part);
      continue;
    }
    const own = encode(part);
    for (let i = 0; i < own.length; i++) ids.push(own[i]!);
  }
  return ids;
}

/** Returns a pattern that matches and captures each special token, or undefined when there are no special tokens. */
export function specialPattern(specials: ChatTokenizer["specials"]): RegExp | undefined {
  const tokens = [...specials.keys()].sort((a, b) => b.length - a.length);
  const escaped = tokens.map((token) => token.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return escaped.length > 0 ? new RegExp(`(${escaped.join("|")})`) : undefined;
}
