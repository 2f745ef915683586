/**
 * The types of an errand: a chain of steps. Each step finds one thing by the text that the step before it read.
 *
 * A finder states three things independently: its words, its meaning on tables (`locate`, `textFromTables`) and its
 * code. In the code, `t` is the text that the chain hands on, `x` is the thing found, and `a` is a handle needed on the
 * way. So a step can follow any other step whose text has the right kind.
 *
 * Every finder has one careful way and one hasty way. The hasty way always finds a decoy, whose text leads to things of
 * the same kinds. So only the checks reveal a wrong turn.
 */
import type { DemonstrationStyle, Reader, Rng, Writer } from "bowline/world";
import type { DrawContext } from "../goals/algebra.ts";

/** The kind of thing that a step finds. */
export type ThingKind = "mail" | "note" | "message" | "todo" | "person";
export type KeyKind = "topic" | "name";

/**
 * The text that the right chain hands on, and the text that a hasty step reads instead. A wrong name is a namesake's.
 */
export interface RightAndWrongText {
  readonly right: string;
  readonly wrong: string;
}

/**
 * What a finder inserts into the start state: the thing that `key` leads to, which says `text`, and a decoy, which says
 * `decoyText`.
 */
export interface PlantRequest {
  readonly db: Writer;
  readonly key: string;
  readonly text: string;
  readonly decoyText: string;
  readonly rng: Rng;
  /** Picks a person of the split for rows that need a sender. */
  readonly pickSender: () => number;
}

export interface Finder {
  readonly name: string;
  readonly kind: ThingKind;
  readonly keyKind: KeyKind;
  /** The kind of thing that is searched for the text, if it is not the kind that is found. */
  readonly searchedKind?: ThingKind;
  /** What the instruction calls the text: a label, a tag, a group. Absent when it is not called anything. */
  readonly keyName?: string;
  /** Noun phrases around the words for the key, one for each surface form. */
  readonly nouns: readonly ((key: string) => string)[];
  readonly plant: (planting: PlantRequest) => void;
  /** Returns the id of the one row that is meant. It reads only tables. */
  readonly locate: (db: Reader, key: string) => number;
  /** Returns the cells that store the thing found in `x`. */
  readonly cells: (style: DemonstrationStyle) => readonly string[];
  /** Reads from tables the text that the thing hands on. `textCode` is a code expression for the same text. */
  readonly textFromTables: (db: Reader, id: number) => string;
  readonly textCode: string;
  /** What the instruction asks for when this is the last step. */
  readonly answerPhrase: string;
  /** The answer, if it differs from the text that the thing would hand on. */
  readonly answer?: {
    readonly fromTables: (db: Reader, id: number) => string;
    readonly code: string;
  };
}

/** An action on the thing found. */
export interface Action {
  readonly name: string;
  readonly kind: ThingKind;
  readonly draw: (draw: DrawContext) => {
    /** Imperative sentences in lower case. */
    readonly frames: readonly ((it: string) => string)[];
    readonly setup?: (db: Writer) => void;
    readonly apply: (db: Writer, id: number) => void;
    readonly code: string;
  };
}

/** One step of a chain: a finder and an action. */
export interface Step {
  readonly finder: Finder;
  readonly action: Action;
}

/** The times of inserted rows: later than all rows of the population. */
export const EARLIER_TIME = "2026-03-12T08:40:00Z";
export const LATER_TIME = "2026-03-12T08:50:00Z";

/**
 * Writes a cell that stores the expression in `x` and prints a property of it, so that a turn that found nothing fails
 * at once.
 */
export function storeAsX(expression: string, printedProperty = "id"): string {
  return `var x=${expression};print(x.${printedProperty})`;
}

/** This cell finds the person whom `t` names and stores the handle in `a`. */
export const FIND_HANDLE_CELL = "var a=apis.contacts.find({name:t})[0].handle;print(a)";

/** Writes the query of a search. The hasty solver types only the last of the two words. */
export const searchQueryCode = (style: DemonstrationStyle): string =>
  style === "hasty" ? 't.split(" ")[1]' : "t";

/** Returns the text for a careful solver, and nothing for a hasty one. */
export const onlyIfCareful = (style: DemonstrationStyle, text: string): string =>
  style === "hasty" ? "" : text;
