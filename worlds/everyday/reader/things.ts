/** What the reader knows of a kind of thing: how it is called, where its rows are, and what its columns are called. */
import type { Phrase, Row, Tables } from "./phrases.ts";

/** A column that a question may ask for, or by which things are ranked. */
export interface ThingField {
  readonly words: string;
  readonly read: (row: Row, tables: Tables) => string | number | null;
  /** True for amounts in cents, which answers state in dollars. */
  readonly isMoney?: boolean;
  /** Patterns of the superlatives. */
  readonly ranks?: { readonly most: string; readonly least: string };
}

export interface Thing {
  readonly name: string;
  readonly table: string;
  /** A regular expression of all nouns that mean the thing. Longer nouns come before shorter ones. */
  readonly noun: string;
  readonly includes: (row: Row, tables: Tables) => boolean;
  readonly phrases: readonly Phrase[];
  readonly fields: readonly ThingField[];
}
