/**
 * What a world must provide so that goals can be composed in it: which people and things its sentences may name, how a
 * program looks people up, sentences to send, and a calendar. The kit itself knows no names.
 */
import { BowlineError, type Rng } from "../core/index.ts";
import type { ComposedSplit } from "../spec/index.ts";
import type { TableRow } from "../world/index.ts";

/** A person whom a task may name. */
export interface Person {
  readonly id: number;
  /** The name in the form that sentences use. No other person has it. */
  readonly name: string;
}

/** The language of one world. All functions depend on their arguments only. */
export interface Language {
  /**
   * Returns true when the text names somebody or something of another split. A task with such a text is not composed.
   */
  readonly namesStrangers: (text: string, split: ComposedSplit) => boolean;
  /** Returns true when an instruction of the split may contain values of this row. References are not followed. */
  readonly canMention: (row: TableRow, split: ComposedSplit) => boolean;
  /** Returns true for a word that keeps its capital letter when other words stand before it. */
  readonly keepsCapital: (word: string) => boolean;
  /** Returns cells that set `variable` to what the APIs call this person, and the apps that these cells use. */
  readonly findPerson: (
    person: Person,
    variable: string,
  ) => { readonly cells: readonly string[]; readonly apps: readonly string[] };
  /**
   * Draws a sentence to send or to write down. Training does not use the sentences of the test splits. `purpose` is the
   * action or deed that needs it, such as `mail.reply`, so that the sentence can suit its place.
   */
  readonly sentence: (rng: Rng, split: ComposedSplit, purpose: string) => string;
  /** Returns the day so many days after the world's first instant, such as `2026-03-19`. */
  readonly dayAfter: (days: number) => string;
}

/** Lowers the first letter of a sentence, unless its first word is `I` or keeps its capital in this language. */
export function lowerFirstLetter(
  sentence: string,
  { keepsCapital }: Pick<Language, "keepsCapital">,
): string {
  const [first = ""] = sentence.split(/\W/, 1);
  if (first === "I" || keepsCapital(first)) return sentence;
  return sentence[0]!.toLowerCase() + sentence.slice(1);
}

/** What a world may add to its language besides the calendar. */
export type LanguageChoices = Partial<Omit<Language, "dayAfter">>;

/**
 * Returns the language of a world without people: everything may be said in every split. `now` is the world's first
 * instant. `choices` adds what else its goals need, such as sentences to write or how to find people.
 */
export function plainLanguage(now: string, choices: LanguageChoices = {}): Language {
  return {
    namesStrangers: () => false,
    canMention: () => true,
    keepsCapital: () => false,
    findPerson: ({ name }) => {
      throw new BowlineError(
        "world",
        `a part of a goal names ${name}, but the world's language has no findPerson; give one to plainLanguage`,
      );
    },
    sentence: () => {
      throw new BowlineError(
        "world",
        "a part of a goal needs a text, but the world's language has no sentence; give one to plainLanguage",
      );
    },
    dayAfter: (days) => new Date(Date.parse(now) + days * DAY_MS).toISOString().slice(0, 10),
    ...choices,
  };
}

const DAY_MS = 86_400_000;
