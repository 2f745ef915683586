/**
 * The types of the starter's goal algebra. A selector yields a set of things of one kind, an action acts on such a set,
 * and an answer counts it.
 *
 * Each part says three things independently: its words, its meaning on tables, and its code. The words become the
 * instruction, the meaning becomes the intended changes and thereby the checks, and the code becomes the solution
 * program. `bowline world check` tests in the sandbox that meaning and code agree.
 *
 * The code of a selection leaves a list of keys in the variable `s` (handles of people, ids of everything else). So any
 * action can follow any selector of its kind, even when training never has this pair.
 */
import type { DemonstrationStyle, Reader, Rng, Split, Writer } from "bowline/world";
import type { Person } from "../apps/index.ts";

/** The kind of things in a set. It is named after the table to which the ids belong. */
export type SetKind = "people" | "mails" | "todos" | "notes" | "requests" | "events";

/**
 * What a part may use when it draws values. All random values come from `rng`, and all people belong to the task's
 * split.
 */
export interface DrawContext {
  readonly rng: Rng;
  readonly split: Split;
  readonly base: Reader;
  readonly people: readonly Person[];
}

/** Writes a cell of code in a style. The hasty version is what an agent that takes shortcuts would write. */
export type CodeCell = (style: DemonstrationStyle) => string;

export interface Selection {
  /** The noun phrases that name the set, one for each of the selector's three wordings. */
  readonly nouns: readonly string[];
  readonly setup?: (db: Writer) => void;
  /** Computes the ids of the rows in the set, from tables alone. The set is never empty after `setup`. */
  readonly ids: (db: Reader) => readonly number[];
  /** The cells of code that store the keys of the set in the variable `s`. */
  readonly cells: readonly CodeCell[];
}

export interface Selector {
  readonly name: string;
  readonly kind: SetKind;
  readonly app: string;
  /** True when the selector names a single thing, so that only the action decides how difficult the task is. */
  readonly direct: boolean;
  readonly draw: (draw: DrawContext) => Selection;
}

export interface Effect {
  /** Functions that put the noun phrase into a sentence without a full stop, one for each of the three wordings. */
  readonly frames: readonly ((noun: string) => string)[];
  readonly setup?: (db: Writer) => void;
  readonly apply: (db: Writer, id: number) => void;
  /**
   * Functions for cells that read something that the action needs. For the hasty style, a function returns undefined
   * when the hasty solution leaves its cell out.
   */
  readonly prelude?: readonly ((style: DemonstrationStyle) => string | undefined)[];
  /** Returns the code that does the action for one key, the variable `x`. */
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
