/**
 * What a chat template's text says about tokens: where a turn ends, and how a rendered text becomes ids piece by piece.
 * Whoever turns conversations into rows by a template builds on these parts.
 */
import { BowlineError } from "../core/index.ts";
import type { Tokenizer } from "../spec/index.ts";

export interface ChatTokenizer extends Pick<Tokenizer, "encode" | "decode"> {
  /** The ids of a rendered template: special tokens that are written out become themselves. */
  encodeRendered(text: string): readonly number[];
  readonly specials: ReadonlyMap<string, number>;
}

/** False where it throws: what a template can do is found out by asking it. */
export function doesNotThrow(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

export interface EndOfTurn {
  /** What the template writes at the end of a turn; some put a space before the token. */
  readonly text: string;
  readonly id: number;
}

/** Throws a `checkpoint` error where `rest`, what follows an answer, begins with no special token. */
export function findEndOfTurn(rest: string, specials: ChatTokenizer["specials"]): EndOfTurn {
  const leadingSpace = /^\s*/.exec(rest)?.[0] ?? "";
  const afterSpace = rest.slice(leadingSpace.length);
  // Of two tokens that begin alike, the longer one is meant.
  const [name, id] =
    [...specials].filter(([token]) => afterSpace.startsWith(token)).sort(compareByLength)[0] ?? [];
  if (name !== undefined && id !== undefined) return { text: leadingSpace + name, id };
  throw new BowlineError(
    "checkpoint",
    `the chat template ends an assistant's turn with ${JSON.stringify(rest.slice(0, 40))}, expected a special token, at which the model can be stopped`,
  );
}

const compareByLength = ([a]: [string, number], [b]: [string, number]) => b.length - a.length;

/** Pieces of text whose ids are remembered. The opening is long, and all but its last message is the same for all tasks. */
const MAX_REMEMBERED_PIECES = 256;

/**
 * The same ids as `encodeRendered`, piece by piece between special tokens, each piece encoded once. Where a tokenizer
 * lets special tokens swallow the spaces around them, pieces are not the whole, and the whole is encoded.
 */
export function createPieceEncoder({
  encodeRendered,
  specials,
}: ChatTokenizer): Tokenizer["encode"] {
  const pattern = specialPattern(specials);
  if (pattern === undefined) return encodeRendered;
  const idsByPiece = new Map<string, readonly number[]>();
  const encodePiece = (piece: string) => {
    const ids = idsByPiece.get(piece) ?? encodeRendered(piece);
    if (idsByPiece.size >= MAX_REMEMBERED_PIECES)
      idsByPiece.delete(idsByPiece.keys().next().value!);
    idsByPiece.set(piece, ids);
    return ids;
  };
  const encodeInPieces = (text: string) => {
    const ids: number[] = [];
    for (const piece of text.split(pattern)) {
      const special = specials.get(piece);
      if (special !== undefined) ids.push(special);
      else for (const id of encodePiece(piece)) ids.push(id);
    }
    return ids;
  };
  const probe = [...specials.keys()].map((token) => `\n a ${token} b \n`).join("");
  return encodeInPieces(probe).join() === encodeRendered(probe).join()
    ? encodeInPieces
    : encodeRendered;
}

/** Matches, and captures, each special token. */
export function specialPattern(specials: ChatTokenizer["specials"]): RegExp | undefined {
  const tokens = [...specials.keys()].sort((a, b) => b.length - a.length);
  const escaped = tokens.map((token) => token.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return escaped.length > 0 ? new RegExp(`(${escaped.join("|")})`) : undefined;
}
