/**
 * Phrases: the ways of saying one thing, written behind what it means as a template whose alternatives stand between bars.
 *
 *     sets({ status: "paused" }, { api: "pause" })`Pause # | Put # on hold | Suspend # for now | Have # paused | Let # rest`
 *
 * `#` is the noun of the things that an action or a relation is about; `$` is the value that a clause has drawn. Both are holes
 * only where there is something to put in. Lines break where they like: white space is one space. A value that is interpolated
 * may hold any of these signs. At least five alternatives that mean exactly the same: the last two are kept for test splits.
 * A phrase that several parts have but for a word or two is a function that gives its text, and the text is handed over like a
 * template: `` sets(...)(inMusic("recommend # to $")) ``.
 */
import type { Forms, Noun } from "../parts.ts";

/** One text for a noun, several ways. */
export type Frames = Forms<(noun: string) => string>;
/** What is complete once it has its phrase: a tag for a template, or a function of its text. */
export type Tagged<T> = (strings: Template, ...values: readonly unknown[]) => T;
type Template = TemplateStringsArray | string;

const BAR = "\uE000";
const NOUN = "\uE001";
const VALUE = "\uE002";

/** Alternatives with marks for holes, which no text of a world has. */
export type Phrase = readonly string[];

const marked = (text: string) =>
  text.replace(/\s+/g, " ").replaceAll("|", BAR).replaceAll("#", NOUN).replaceAll("$", VALUE);

const filled = (text: string, noun = "#", value = "$") =>
  text.replaceAll(NOUN, () => noun).replaceAll(VALUE, () => value);

/** Templates without values are the same at every drawing. */
const known = new WeakMap<TemplateStringsArray, Phrase>();

const piecesOf = (strings: Template): readonly string[] => [strings].flat();

function phraseOf(strings: Template, values: readonly unknown[]): Phrase {
  const before = typeof strings === "string" ? undefined : known.get(strings);
  if (before) return before;
  const text = piecesOf(strings)
    .map(marked)
    .reduce((all, next, i) => `${all}${values[i - 1]}${next}`);
  const phrase = text.split(BAR).map((one) => one.trim());
  if (phrase.length < 5 || phrase.includes("")) {
    const said = filled(phrase.join(" | "));
    throw new Error(`a phrase has at least five alternatives, got ${phrase.length}: ${said}`);
  }
  if (values.length === 0 && typeof strings !== "string") known.set(strings, phrase);
  return phrase;
}

/** A template whose `$` is this value, as if it had been interpolated. */
export const withValue = (
  phrase: Parameters<Tagged<unknown>>,
  value: string,
): Parameters<Tagged<unknown>> => interpolated(phrase, /\$()/, () => value);

/** A template whose `$name` are these values. Throws on a name that none of them has. */
export const withValues = (
  phrase: Parameters<Tagged<unknown>>,
  values: { readonly [name: string]: string },
): Parameters<Tagged<unknown>> =>
  interpolated(phrase, /\$([a-z]+)/i, (name) => {
    const known = Object.keys(values).join(", ");
    const value = values[name];
    if (value === undefined) throw new Error(`a phrase says $${name}; what was drawn: ${known}`);
    return value;
  });

/** With values in place of what `hole` matches; its group is what they are called. */
function interpolated(
  [strings, ...values]: Parameters<Tagged<unknown>>,
  hole: RegExp,
  saidFor: (name: string) => string,
): Parameters<Tagged<unknown>> {
  const pieces = piecesOf(strings).map((text) => text.split(hole));
  const texts = pieces.flatMap((some) => some.filter((_, i) => i % 2 === 0));
  const all = pieces.flatMap((some, i) => [
    ...(i > 0 ? [values[i - 1]] : []),
    ...some.filter((_, at) => at % 2 === 1).map(saidFor),
  ]);
  return [Object.assign(texts, { raw: texts }), ...all];
}

/** A tag from what is to be made of its phrase. */
export const said =
  <T>(make: (phrase: Phrase) => T): Tagged<T> =>
  (strings, ...values) =>
    make(phraseOf(strings, values));

const asForms = <T>(all: readonly T[]) => all as unknown as Forms<T>;

/** The alternatives of a phrase, with `$` for the value where one is given. */
export const formsOf = (phrase: Phrase, value?: string): Forms =>
  asForms(phrase.map((one) => filled(one, "#", value)));

export const framesOf = (phrase: Phrase): Frames =>
  asForms(phrase.map((one) => (noun: string) => filled(one, noun)));

/** Alternatives without holes. */
export const forms: Tagged<Forms> = said((phrase) => formsOf(phrase));

/** Alternatives with `#` for the noun. */
export const frames: Tagged<Frames> = said(framesOf);

/** What things are called, one and many: `shop order(s) | order / orders of mine in the shop | ...`. */
export const nouns: Tagged<Forms<Noun>> = said((phrase) =>
  asForms(
    formsOf(phrase).map((text) => {
      const [one, many] = text.split(" / ");
      return many === undefined
        ? { one: text.replaceAll("(s)", ""), many: text.replaceAll("(s)", "s") }
        : { one: one!, many };
    }),
  ),
);

/** Pairs of adjectives for the most and the least: `latest / earliest | last / first | ...`. */
export const ranked: Tagged<readonly [most: Forms, least: Forms]> = (...phrase) => {
  const pairs = nouns(...phrase);
  return [asForms(pairs.map(({ one }) => one)), asForms(pairs.map(({ many }) => many))];
};

/** A list of words: `a kite | a sewing kit`. */
export const listOf = (text: string): readonly string[] =>
  text.split("|").map((one) => one.replace(/\s+/g, " ").trim());
