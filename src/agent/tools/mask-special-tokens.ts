/**
 * Keeps text that others wrote from becoming special tokens in a rendered conversation. Otherwise the result of a tool
 * could end a turn. Templates print text unchanged, trimmed, or quoted as JSON, so it cannot be found again in their
 * output. Therefore everything that looks like a special token is replaced by a placeholder before rendering. The
 * original is put back after the real special tokens were identified.
 */
import { JsonNumber } from "../../core/index.ts";
import { type ChatTokenizer, type RenderedPart, specialPattern } from "../template-text.ts";

export interface MaskedRendering {
  /** The values, with every special token in their strings replaced. */
  readonly values: readonly unknown[];
  /** Cuts a text that was rendered from these values at its real special tokens. */
  split(text: string): readonly RenderedPart[];
}

/** Masks special tokens in the strings of `values`. Returns undefined when no string looks like a special token. */
export function maskSpecialTokens(
  values: readonly unknown[],
  { specials }: Pick<ChatTokenizer, "specials">,
): MaskedRendering | undefined {
  const pattern = specialPattern(specials);
  const whole = listStrings(values).join("\n");
  if (!pattern?.test(whole)) return undefined;
  let word = "special-token-";
  while (whole.includes(word)) word += "x-";
  const names = [...specials.keys()];
  const mask = (text: string) =>
    text
      .split(pattern)
      .map((piece) => (specials.has(piece) ? `${word}${names.indexOf(piece)};` : piece))
      .join("");
  const masks = new RegExp(`${word}(\\d+);`, "g");
  const unmask = (text: string) => text.replace(masks, (_, i: string) => names[Number(i)]!);
  return {
    values: values.map((value) => mapStrings(value, mask)),
    split: (text) =>
      text.split(pattern).map((piece): RenderedPart => {
        const special = specials.get(piece);
        if (special !== undefined) return special;
        const spelled = unmask(piece);
        return { text: spelled, isPlain: spelled !== piece };
      }),
  };
}

/** Returns all strings in a value, also the keys of its objects. */
function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(listStrings);
  if (value instanceof Map) return [...value].flatMap(listStrings);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(listStrings);
}

/** Changes all strings in a value. Maps stay maps, and numbers keep their source. */
function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== "object" || value === null || value instanceof JsonNumber) return value;
  const changeEntry = ([key, item]: [string, unknown]) =>
    [change(key), mapStrings(item, change)] as const;
  return value instanceof Map
    ? new Map([...value].map(changeEntry))
    : Object.fromEntries(Object.entries(value).map(changeEntry));
}
