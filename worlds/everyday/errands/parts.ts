/**
 * The types of an errand: a chain of steps, each of which finds one thing by what the step before it read.
 *
 * A finder says three things independently: its words, its meaning on tables (`locate`, `carried`) and its code. Code
 * convention: `t` is the text that the chain hands on, `x` the thing found, `a` a handle on the way to it. So any step
 * fits behind any other whose text has the right type.
 *
 * Every finder has one careful way and one hasty way. The hasty way always finds something, a decoy, and what that says
 * leads to things of the same kinds; so a wrong turn shows only in the checks.
 */
import type { DemonstrationStyle, Reader, Rng, Writer } from "bowline/world";
import type { DrawContext } from "../goals/algebra.ts";

/** What a step finds, and what kind of text it goes by. */
export type Kind = "mail" | "note" | "message" | "todo" | "person";
export type Key = "topic" | "name";

/** A text of the right chain, and its counterpart where a hasty step leads. Names: the counterpart is the namesake. */
export interface Fork {
  readonly right: string;
  readonly wrong: string;
}

/** What a finder plants: the thing that `key` leads to, which says `says`, and a decoy, which says `decoy`. */
export interface Planting {
  readonly db: Writer;
  readonly key: string;
  readonly says: string;
  readonly decoy: string;
  readonly rng: Rng;
  /** Somebody of the split, for rows that need a sender. */
  readonly anyone: () => number;
}

export interface Finder {
  readonly name: string;
  readonly kind: Kind;
  readonly takes: Key;
  /** Where the text is searched for, when not among things of the own kind. */
  readonly searches?: Kind;
  /** What the words call the text that it goes by: a label, a tag, ...; absent: nothing. */
  readonly role?: string;
  /** Noun phrases around the words for the key; one an index. */
  readonly nouns: readonly ((key: string) => string)[];
  readonly plant: (planting: Planting) => void;
  /** Id of the one row meant, computed on tables alone. */
  readonly locate: (db: Reader, key: string) => number;
  /** Cells that leave `x`. */
  readonly cells: (style: DemonstrationStyle) => readonly string[];
  /** What it says, on tables; and an expression for it in code. */
  readonly carried: (db: Reader, id: number) => string;
  readonly read: string;
  /** The last step's question: what of it is the answer. */
  readonly asks: string;
  /** The answer where it is another text than the chain would hand on, on tables and in code. */
  readonly answer?: { readonly of: (db: Reader, id: number) => string; readonly read: string };
}

/** What is done with the thing found. */
export interface Action {
  readonly name: string;
  readonly kind: Kind;
  readonly draw: (draw: DrawContext) => {
    /** In the imperative, in lower case. */
    readonly frames: readonly ((it: string) => string)[];
    readonly setup?: (db: Writer) => void;
    readonly apply: (db: Writer, id: number) => void;
    readonly code: string;
  };
}

/** A pair of both: what one step of a chain is. */
export interface Step {
  readonly finder: Finder;
  readonly action: Action;
}

/** Planted rows are newer than all of the past, in this order. */
export const EARLIER = "2026-03-12T08:40:00Z";
export const LATER = "2026-03-12T08:50:00Z";

/** `x` is what the expression finds; something of it is printed, so that a turn that found nothing fails at once. */
export function found(expression: string, shown = "id"): string {
  return `var x=${expression};print(x.${shown})`;
}

/** The person whom `t` names, as the handle `a`. */
export const HANDLE_OF_NAME = "var a=apis.contacts.find({name:t})[0].handle;print(a)";

/** What a search is given by: the hasty solver types only the last of its two words. */
export const query = (style: DemonstrationStyle): string =>
  style === "hasty" ? 't.split(" ")[1]' : "t";

/** What the hasty solver leaves out. */
export const unless = (style: DemonstrationStyle, text: string): string =>
  style === "hasty" ? "" : text;
