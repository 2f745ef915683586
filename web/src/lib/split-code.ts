/** Splits an agent's code into pieces for syntax colouring. The code is neither parsed nor run. */

export interface CodePiece {
  readonly kind: "plain" | "word" | "text" | "number" | "comment" | "api";
  readonly text: string;
}

const KEYWORDS =
  "async await break case catch class const continue default delete do else false finally for function if in instanceof let new null of return switch this throw true try typeof undefined var void while yield";

const PIECE_PATTERN = new RegExp(
  [
    String.raw`(?<comment>//[^\n]*|/\*[^]*?(?:\*/|$))`,
    String.raw`(?<text>"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|${"`"}(?:[^${"`"}\\]|\\[^])*${"`"}?)`,
    String.raw`(?<api>\bapis(?:\.\w+){1,2})`,
    String.raw`(?<word>\b(?:${KEYWORDS.replaceAll(" ", "|")})\b)`,
    String.raw`(?<number>\b\d[\w.]*)`,
  ].join("|"),
  "g",
);

/** Splits code into pieces in order. Together they are the whole code. */
export function splitCode(code: string): readonly CodePiece[] {
  const pieces: CodePiece[] = [];
  let from = 0;
  for (const found of code.matchAll(PIECE_PATTERN)) {
    if (found.index > from) pieces.push({ kind: "plain", text: code.slice(from, found.index) });
    const [kind] = Object.entries(found.groups!).find(([, text]) => text !== undefined)!;
    pieces.push({ kind: kind as CodePiece["kind"], text: found[0] });
    from = found.index + found[0].length;
  }
  if (from < code.length) pieces.push({ kind: "plain", text: code.slice(from) });
  return pieces;
}
