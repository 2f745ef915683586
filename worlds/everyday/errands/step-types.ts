/**
 * The types of an errand: a chain of steps. Each step finds one thing by the text that the step before it read.
 *
 * A finder states three things independently: its words, its meaning on tables (`locate`, `textFromTables`) and its
 * code. In the code, `t` is the text that the step before read, `x` is the thing that was found, and `a` is a handle
 * that is needed on the way. So a step can follow any other step whose text has the right kind.
 *
 * Every finder has one careful way and one hasty way. The hasty way always finds a decoy, whose text leads to things of
 * the same kinds. So an agent notices nothing, and only the checks show that it went wrong.
 */
import type { DemonstrationStyle, Reader, Rng, Writer } from "bowline/world";
import type { DrawContext } from "../goals/algebra.ts";

/** The kind of thing that a step finds. */
export type ThingKind = "mail" | "note" | "message" | "todo" | "person";
export type KeyKind = "topic" | "name";

/**
 * A text that a careful step reads, and the text that a hasty step reads instead. When the right text is a name, the
 * wrong text is the name of a namesake.
 */
export interface RightAndWrongText {
  readonly right: string;
  readonly wrong: string;
}

/**
 * What a finder inserts into the start state: the thing that is found by `key` and contains `text`, and a decoy that
 * contains `decoyText`.
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
  /** The kind of thing in which the text is searched, if it is another kind than that of the thing that is found. */
  readonly searchedKind?: ThingKind;
  /**
   * What the instruction calls the text, such as a label, a tag or a group. Absent when the instruction does not name
   * its kind.
   */
  readonly keyName?: string;
  /** Makes noun phrases from the words for the text, one for each of the three wordings. */
  readonly nouns: readonly ((key: string) => string)[];
  readonly plant: (planting: PlantRequest) => void;
  /** Returns the id of the row that the finder means. It reads only tables. */
  readonly locate: (db: Reader, key: string) => number;
  /** Returns the cells of code that find the thing and store it in `x`. */
  readonly cells: (style: DemonstrationStyle) => readonly string[];
  /** Reads the text for the next step from tables. `textCode` is an expression in code for the same text. */
  readonly textFromTables: (db: Reader, id: number) => string;
  readonly textCode: string;
  /** The words by which the instruction asks for the answer when this step is the last one. */
  readonly answerPhrase: string;
  /** The answer, if it differs from the text that a next step would get. */
  readonly answer?: {
    readonly fromTables: (db: Reader, id: number) => string;
    readonly code: string;
  };
}

/** An action on the thing that a step has found. */
export interface Action {
  readonly name: string;
  readonly kind: ThingKind;
  readonly draw: (draw: DrawContext) => {
    /** Functions that make an imperative sentence in lower case from the words for the thing. */
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

/** A cell that finds the person whom `t` names, and stores the person's handle in `a`. */
export const FIND_HANDLE_CELL = "var a=apis.contacts.find({name:t})[0].handle;print(a)";

/** Writes an expression for the query of a search. The hasty solution searches only for the last of the two words. */
export const searchQueryCode = (style: DemonstrationStyle): string =>
  style === "hasty" ? 't.split(" ")[1]' : "t";

/** Returns the text for a careful solution, and an empty text for a hasty one. */
export const onlyIfCareful = (style: DemonstrationStyle, text: string): string =>
  style === "hasty" ? "" : text;
