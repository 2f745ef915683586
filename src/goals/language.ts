/**
 * What a world hands in before goals can be composed in it: whom and what its sentences may name, how its people are looked
 * up, what may be written to them, and its calendar. The kit knows sets, actions and words around them, and nobody's names.
 */
import { BowlineError, type Rng } from "../core/index.ts";
import type { ComposedSplit } from "../spec/index.ts";
import type { TableRow } from "../world/index.ts";

/** Somebody whom a task may name. */
export interface Person {
  readonly id: number;
  /** As it stands in a sentence; nobody else has it. */
  readonly name: string;
}

/** Of one world. Pure functions of their arguments. */
export interface Language {
  /** Whether the text names somebody or something that belongs to another split: such a task is not composed. */
  readonly namesStrangers: (text: string, split: ComposedSplit) => boolean;
  /** Whether a value of this row may stand in an instruction of the split. References are not followed. */
  readonly mentionable: (row: TableRow, split: ComposedSplit) => boolean;
  /** True for the first word of a sentence that keeps its capital behind other words. */
  readonly keepsCapital: (word: string) => boolean;
  /** Cells of a solution that leave in `variable` what names this person in the world's APIs, and the apps that they ask. */
  readonly findPerson: (
    person: Person,
    variable: string,
  ) => { readonly cells: readonly string[]; readonly apps: readonly string[] };
  /** A sentence to be sent or written down. Those of the test splits are others than those of training. */
  readonly sentence: (rng: Rng, split: ComposedSplit) => string;
  /** The day so many days after the world's first instant, `2026-03-19`. */
  readonly dayAfter: (days: number) => string;
}

/** As a sentence stands behind other words: `I` and what the language says keep their capital. */
export function lowerFirstLetter(
  sentence: string,
  { keepsCapital }: Pick<Language, "keepsCapital">,
): string {
  const [first = ""] = sentence.split(/\W/, 1);
  if (first === "I" || keepsCapital(first)) return sentence;
  return sentence[0]!.toLowerCase() + sentence.slice(1);
}

/** What a world may say of itself beside its calendar. */
export type LanguageChoices = Partial<Omit<Language, "dayAfter">>;

/**
 * The language of a world without people of its own: everything may be said in every split. `now` is the world's first
 * instant. What its goals need beyond that (sentences to write, people to name) is given in `choices`.
 */
export function plainLanguage(now: string, choices: LanguageChoices = {}): Language {
  return {
    namesStrangers: () => false,
    mentionable: () => true,
    keepsCapital: () => false,
    findPerson: ({ name }) => {
      throw new BowlineError("world", `a part names ${name}, but the language has no findPerson`);
    },
    sentence: () => {
      throw new BowlineError("world", "a part takes a text, but the language has no sentence");
    },
    dayAfter: (days) => new Date(Date.parse(now) + days * DAY_MS).toISOString().slice(0, 10),
    ...choices,
  };
}

const DAY_MS = 86_400_000;
