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
import type { Alternatives, Noun } from "../parts.ts";

/** One text for a noun, several ways. */
export type NounFrames = Alternatives<(noun: string) => string>;
/** What is complete once it has its phrase: a tag for a template, or a function of its text. */
export type NeedsPhrase<T> = (strings: Template, ...values: readonly unknown[]) => T;
type Template = TemplateStringsArray | string;

const BAR = "\uE000";
const NOUN = "\uE001";
const VALUE = "\uE002";

/** Alternatives with marks for holes, which no text of a world has. */
export type Phrase = readonly string[];

const markHoles = (text: string) =>
  text.replace(/\s+/g, " ").replaceAll("|", BAR).replaceAll("#", NOUN).replaceAll("$", VALUE);

const fillHoles = (text: string, noun = "#", value = "$") =>
  text.replaceAll(NOUN, () => noun).replaceAll(VALUE, () => value);

/** Templates without values are the same at every drawing. */
const known = new WeakMap<TemplateStringsArray, Phrase>();

const templatePieces = (strings: Template): readonly string[] => [strings].flat();

function parsePhrase(strings: Template, values: readonly unknown[]): Phrase {
  const before = typeof strings === "string" ? undefined : known.get(strings);
  if (before) return before;
  const text = templatePieces(strings)
    .map(markHoles)
    .reduce((all, next, i) => `${all}${values[i - 1]}${next}`);
  const phrase = text.split(BAR).map((one) => one.trim());
  if (phrase.length < 5 || phrase.includes("")) {
    const said = fillHoles(phrase.join(" | "));
    throw new Error(`a phrase has at least five alternatives, got ${phrase.length}: ${said}`);
  }
  if (values.length === 0 && typeof strings !== "string") known.set(strings, phrase);
  return phrase;
}

/** A template whose `$` is this value, as if it had been interpolated. */
export const interpolateValue = (
  phrase: Parameters<NeedsPhrase<unknown>>,
  value: string,
): Parameters<NeedsPhrase<unknown>> => interpolateHoles(phrase, /\$()/, () => value);

/** A template whose `$name` are these values. Throws on a name that none of them has. */
export const interpolateValues = (
  phrase: Parameters<NeedsPhrase<unknown>>,
  values: { readonly [name: string]: string },
): Parameters<NeedsPhrase<unknown>> =>
  interpolateHoles(phrase, /\$([a-z]+)/i, (name) => {
    const known = Object.keys(values).join(", ");
    const value = values[name];
    if (value === undefined) throw new Error(`a phrase says $${name}; what was drawn: ${known}`);
    return value;
  });

/** With values in place of what `hole` matches; its group is what they are called. */
function interpolateHoles(
  [strings, ...values]: Parameters<NeedsPhrase<unknown>>,
  hole: RegExp,
  saidFor: (name: string) => string,
): Parameters<NeedsPhrase<unknown>> {
  const pieces = templatePieces(strings).map((text) => text.split(hole));
  const texts = pieces.flatMap((some) => some.filter((_, i) => i % 2 === 0));
  const all = pieces.flatMap((some, i) => [
    ...(i > 0 ? [values[i - 1]] : []),
    ...some.filter((_, at) => at % 2 === 1).map(saidFor),
  ]);
  return [Object.assign(texts, { raw: texts }), ...all];
}

/** A tag from what is to be made of its phrase. */
export const phraseTag =
  <T>(make: (phrase: Phrase) => T): NeedsPhrase<T> =>
  (strings, ...values) =>
    make(parsePhrase(strings, values));

const asAlternatives = <T>(all: readonly T[]) => all as unknown as Alternatives<T>;

/** The alternatives of a phrase, with `$` for the value where one is given. */
export const phraseAlternatives = (phrase: Phrase, value?: string): Alternatives =>
  asAlternatives(phrase.map((one) => fillHoles(one, "#", value)));

export const phraseNounFrames = (phrase: Phrase): NounFrames =>
  asAlternatives(phrase.map((one) => (noun: string) => fillHoles(one, noun)));

/** Alternatives without holes. */
export const alternatives: NeedsPhrase<Alternatives> = phraseTag((phrase) =>
  phraseAlternatives(phrase),
);

/** Alternatives with `#` for the noun. */
export const nounFrames: NeedsPhrase<NounFrames> = phraseTag(phraseNounFrames);

/** What things are called, one and many: `shop order(s) | order / orders of mine in the shop | ...`. */
export const nouns: NeedsPhrase<Alternatives<Noun>> = phraseTag((phrase) =>
  asAlternatives(
    phraseAlternatives(phrase).map((text) => {
      const [one, many] = text.split(" / ");
      return many === undefined
        ? { one: text.replaceAll("(s)", ""), many: text.replaceAll("(s)", "s") }
        : { one: one!, many };
    }),
  ),
);

/** Pairs of adjectives for the most and the least: `latest / earliest | last / first | ...`. */
export const superlatives: NeedsPhrase<readonly [most: Alternatives, least: Alternatives]> = (
  ...phrase
) => {
  const pairs = nouns(...phrase);
  return [
    asAlternatives(pairs.map(({ one }) => one)),
    asAlternatives(pairs.map(({ many }) => many)),
  ];
};

/** A list of words: `a kite | a sewing kit`. */
export const wordList = (text: string): readonly string[] =>
  text.split("|").map((one) => one.replace(/\s+/g, " ").trim());
