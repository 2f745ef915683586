/**
 * Phrases: the ways of saying one thing. They are written as a template behind what they mean, separated by bars.
 *
 *     sets({ status: "paused" }, { api: "pause" })`Pause # | Put # on hold | Suspend # | Have # paused | Let # rest`
 *
 * `#` is the noun of the things that an action or a relation is about; `$` is the value that a clause has drawn. If
 * there is nothing to put in, both signs stand for themselves. White space, including line breaks, counts as one space.
 * An interpolated value may contain any of these signs. A phrase has at least five alternatives that mean exactly the
 * same; the last two are kept for test splits. Phrases that differ in a word or two can be made by a function; its text
 * is passed like a template: `` sets(...)(inMusic("recommend # to $")) ``.
 */
import type { Alternatives, Noun } from "../parts.ts";

/** Different ways of saying something around a noun. */
export type NounFrames = Alternatives<(noun: string) => string>;
/** A declaration that still needs its phrase. It is a tag for a template, or a function that gets the phrase's text. */
export type NeedsPhrase<T> = (strings: Template, ...values: readonly unknown[]) => T;
type Template = TemplateStringsArray | string;

const BAR = "\uE000";
const NOUN = "\uE001";
const VALUE = "\uE002";

/** The alternatives of a phrase. Holes are marked by characters that occur in no text of a world. */
export type Phrase = readonly string[];

const markHoles = (text: string) =>
  text.replace(/\s+/g, " ").replaceAll("|", BAR).replaceAll("#", NOUN).replaceAll("$", VALUE);

const fillHoles = (text: string, noun = "#", value = "$") =>
  text.replaceAll(NOUN, () => noun).replaceAll(VALUE, () => value);

/** Caches parsed templates that have no values, because they are the same at every draw. */
const parsedTemplates = new WeakMap<TemplateStringsArray, Phrase>();

const templatePieces = (strings: Template): readonly string[] => [strings].flat();

function parsePhrase(strings: Template, values: readonly unknown[]): Phrase {
  const before = typeof strings === "string" ? undefined : parsedTemplates.get(strings);
  if (before) return before;
  const text = templatePieces(strings)
    .map(markHoles)
    .reduce((all, next, i) => `${all}${values[i - 1]}${next}`);
  const phrase = text.split(BAR).map((one) => one.trim());
  if (phrase.length < 5 || phrase.includes("")) {
    const alternativesText = fillHoles(phrase.join(" | "));
    throw new Error(
      `a phrase needs at least five alternatives, got ${phrase.length}: ${alternativesText}`,
    );
  }
  if (values.length === 0 && typeof strings !== "string") parsedTemplates.set(strings, phrase);
  return phrase;
}

/** Replaces `$` in a template by a value, as if the value had been interpolated. */
export const interpolateValue = (
  phrase: Parameters<NeedsPhrase<unknown>>,
  value: string,
): Parameters<NeedsPhrase<unknown>> => interpolateHoles(phrase, /\$()/, () => value);

/** Replaces each `$name` in a template by its value. Throws for a name without a value. */
export const interpolateValues = (
  phrase: Parameters<NeedsPhrase<unknown>>,
  values: { readonly [name: string]: string },
): Parameters<NeedsPhrase<unknown>> =>
  interpolateHoles(phrase, /\$([a-z]+)/i, (name) => {
    const known = Object.keys(values).join(", ");
    const value = values[name];
    if (value === undefined)
      throw new Error(`a phrase has the hole $${name}, but the values drawn for it are ${known}`);
    return value;
  });

/** Replaces what `hole` matches by values. The group in `hole` captures the name of the value. */
function interpolateHoles(
  [strings, ...values]: Parameters<NeedsPhrase<unknown>>,
  hole: RegExp,
  valueFor: (name: string) => string,
): Parameters<NeedsPhrase<unknown>> {
  const pieces = templatePieces(strings).map((text) => text.split(hole));
  const texts = pieces.flatMap((some) => some.filter((_, i) => i % 2 === 0));
  const all = pieces.flatMap((some, i) => [
    ...(i > 0 ? [values[i - 1]] : []),
    ...some.filter((_, at) => at % 2 === 1).map(valueFor),
  ]);
  return [Object.assign(texts, { raw: texts }), ...all];
}

/** Returns a template tag that makes something from its phrase. */
export const phraseTag =
  <T>(make: (phrase: Phrase) => T): NeedsPhrase<T> =>
  (strings, ...values) =>
    make(parsePhrase(strings, values));

const asAlternatives = <T>(all: readonly T[]) => all as unknown as Alternatives<T>;

/** Returns the alternatives of a phrase, with the value in place of `$` when there is one. */
export const phraseAlternatives = (phrase: Phrase, value?: string): Alternatives =>
  asAlternatives(phrase.map((one) => fillHoles(one, "#", value)));

export const phraseNounFrames = (phrase: Phrase): NounFrames =>
  asAlternatives(phrase.map((one) => (noun: string) => fillHoles(one, noun)));

/** A template tag for alternatives without holes. */
export const alternatives: NeedsPhrase<Alternatives> = phraseTag((phrase) =>
  phraseAlternatives(phrase),
);

/** A template tag for alternatives in which `#` stands for the noun. */
export const nounFrames: NeedsPhrase<NounFrames> = phraseTag(phraseNounFrames);

/**
 * A template tag for nouns, in the form for one thing and for several: `shop order(s) | order / orders of mine in the
 * shop | ...`.
 */
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

/** A template tag for pairs of adjectives, for the most and the least: `latest / earliest | last / first | ...`. */
export const superlatives: NeedsPhrase<readonly [most: Alternatives, least: Alternatives]> = (
  ...phrase
) => {
  const pairs = nouns(...phrase);
  return [
    asAlternatives(pairs.map(({ one }) => one)),
    asAlternatives(pairs.map(({ many }) => many)),
  ];
};

/** Splits a text at its bars into a list of words: `a kite | a sewing kit`. */
export const wordList = (text: string): readonly string[] =>
  text.split("|").map((one) => one.replace(/\s+/g, " ").trim());
