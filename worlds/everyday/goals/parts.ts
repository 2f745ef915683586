/**
 * The types of the goal algebra: a selector yields a typed set, an action consumes that type, an answer counts it.
 *
 * Each part says three things independently: its words, its meaning on tables, and its code. The words become the
 * instruction, the meaning becomes the intended diff and thereby the checks, and the code becomes the solution
 * program. That the last two agree is proved in the sandbox (`bowline world check`), never assumed.
 *
 * Code convention: a selection leaves `s`, a list of keys (handles of people, ids of everything else). So any action
 * fits behind any selector of its type, also where the pair was never seen.
 */
import type { DemonstrationStyle, Reader, Rng, Split, Writer } from "bowline/world";
import type { Person } from "../apps/index.ts";

/** What a set holds, named by the table that its ids belong to. */
export type Kind = "people" | "mails" | "todos" | "notes" | "requests" | "events";

/** What a part may draw from. Values come from `rng`, people only from the split's own. */
export interface Draw {
  readonly rng: Rng;
  readonly split: Split;
  readonly base: Reader;
  readonly people: readonly Person[];
}

/** Writes a cell in a style; the hasty version is what an agent with the habit would write. */
export type Cell = (style: DemonstrationStyle) => string;

export interface Selection {
  /** Noun phrases that name the set; one an index, in the order of the selector's forms. */
  readonly nouns: readonly string[];
  readonly setup?: (db: Writer) => void;
  /** Ids in the kind's table, computed on tables alone. Never empty after `setup`. */
  readonly ids: (db: Reader) => readonly number[];
  /** Cells that leave `s`. */
  readonly cells: readonly Cell[];
}

export interface Selector {
  readonly name: string;
  readonly kind: Kind;
  readonly app: string;
  /** True when it names one thing, so that difficulty is that of the action alone. */
  readonly direct: boolean;
  readonly draw: (draw: Draw) => Selection;
}

export interface Effect {
  /** Sentences without a full stop around the noun phrase; one an index. */
  readonly frames: readonly ((noun: string) => string)[];
  readonly setup?: (db: Writer) => void;
  readonly apply: (db: Writer, id: number) => void;
  /** Cells that read what the action needs. A hasty solver leaves out those that return undefined. */
  readonly prelude?: readonly ((style: DemonstrationStyle) => string | undefined)[];
  /** A call on one key `x`. */
  readonly call: (style: DemonstrationStyle) => string;
}

export interface Action {
  readonly name: string;
  readonly kind: Kind;
  readonly app: string;
  readonly difficulty: 1 | 2;
  readonly draw: (draw: Draw) => Effect;
}

/** The cell that collects all pages of a list into `s`; the hasty one takes the first page for the whole. */
export function collect(call: string, args: string, key: string, unique = false): Cell {
  return (style) => {
    if (style === "hasty")
      return `var s=apis.${call}({${args}}).items.map(x=>x.${key});print(s.length)`;
    const loop = `var s=[],p=1,r;do{r=apis.${call}({${args},page:p++});s.push(...r.items.map(x=>x.${key}))}while(r.more)`;
    return unique ? `${loop};s=[...new Set(s)];print(s.length)` : `${loop};print(s.length)`;
  };
}

/** How a person is looked up; the hasty solver types the first name and takes whoever comes first. */
export function findPerson(person: Pick<Person, "name">): Cell {
  const first = person.name.split(" ")[0];
  return (style) =>
    style === "hasty"
      ? `var a=apis.contacts.find({name:"${first}"})[0].handle;print(a)`
      : `var a=apis.contacts.find({name:"${person.name}"})[0].handle;print(a)`;
}
