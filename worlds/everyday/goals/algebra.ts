/**
 * The types of the starter's goal algebra. A selector yields a set of things of one kind, an action acts on such a set,
 * and an answer counts it.
 *
 * Each part says three things independently: its words, its meaning on tables, and its code. The words become the
 * instruction, the meaning becomes the intended changes and thereby the checks, and the code becomes the solution
 * program. Whether the last two agree is tested in the sandbox (`bowline world check`).
 *
 * The code of a selection leaves a list of keys in the variable `s` (handles of people, ids of everything else). So any
 * action fits any selector of its kind, also when training never had this pair.
 */
import type { DemonstrationStyle, Reader, Rng, Split, Writer } from "bowline/world";
import type { Person } from "../apps/index.ts";

/** The kind of things in a set. It is named after the table to which the ids belong. */
export type SetKind = "people" | "mails" | "todos" | "notes" | "requests" | "events";

/** What a part may draw from. Values come from `rng`, and people are only those of the task's split. */
export interface DrawContext {
  readonly rng: Rng;
  readonly split: Split;
  readonly base: Reader;
  readonly people: readonly Person[];
}

/** Writes a cell of code in a style. The hasty version is what an agent that takes shortcuts would write. */
export type CodeCell = (style: DemonstrationStyle) => string;

export interface Selection {
  /** The noun phrases that name the set, one for each form of the selector. */
  readonly nouns: readonly string[];
  readonly setup?: (db: Writer) => void;
  /** Computes the ids in the kind's table from the tables alone. The set is never empty after `setup`. */
  readonly ids: (db: Reader) => readonly number[];
  /** The cells of code that leave the list `s`. */
  readonly cells: readonly CodeCell[];
}

export interface Selector {
  readonly name: string;
  readonly kind: SetKind;
  readonly app: string;
  /** True when the selector names one thing, so that the difficulty is that of the action alone. */
  readonly direct: boolean;
  readonly draw: (draw: DrawContext) => Selection;
}

export interface Effect {
  /** Functions that put the noun phrase into a sentence without a full stop, one for each form. */
  readonly frames: readonly ((noun: string) => string)[];
  readonly setup?: (db: Writer) => void;
  readonly apply: (db: Writer, id: number) => void;
  /** Cells that read what the action needs. A hasty solver leaves out those that return undefined. */
  readonly prelude?: readonly ((style: DemonstrationStyle) => string | undefined)[];
  /** Returns the code of a call for one key `x`. */
  readonly call: (style: DemonstrationStyle) => string;
}

export interface Action {
  readonly name: string;
  readonly kind: SetKind;
  readonly app: string;
  readonly difficulty: 1 | 2;
  readonly draw: (draw: DrawContext) => Effect;
}

/** Makes the cell that collects all pages of a list into `s`. The hasty version reads only the first page. */
export function collectPages(
  call: string,
  callArguments: string,
  key: string,
  unique = false,
): CodeCell {
  return (style) => {
    if (style === "hasty")
      return `var s=apis.${call}({${callArguments}}).items.map(x=>x.${key});print(s.length)`;
    const loop = `var s=[],p=1,r;do{r=apis.${call}({${callArguments},page:p++});s.push(...r.items.map(x=>x.${key}))}while(r.more)`;
    return unique ? `${loop};s=[...new Set(s)];print(s.length)` : `${loop};print(s.length)`;
  };
}

/** Makes the cell that looks a person up. The hasty version uses only the first name and takes the first result. */
export function findPersonCell(person: Pick<Person, "name">): CodeCell {
  const first = person.name.split(" ")[0];
  return (style) =>
    style === "hasty"
      ? `var a=apis.contacts.find({name:"${first}"})[0].handle;print(a)`
      : `var a=apis.contacts.find({name:"${person.name}"})[0].handle;print(a)`;
}
