/** Code that solutions of the money apps share: loops over pages, and over the keys of a set. */
import {
  jsLiteral,
  type NeedsPhrase,
  type Relation,
  readAllPages,
  type Title,
  titleBy,
  wordList,
} from "bowline/goals";
import type { TableRow } from "bowline/world";

type Cells = Relation["cells"];

/** For a relation: what `item`, an expression of the key `k`, gives for each of the keys, once. */
export const each = (item: string) => (from: string) =>
  `[...new Set(${from}.map(k=>${item}))].filter(k=>k!==null)`;

/** For a relation: what a list call tells of those of its items that are in the set. */
export const among =
  (api: string, item: string, also = ""): Cells =>
  (from, to) => {
    const kept = `.filter(x=>${from}.includes(x.id)${also}).map(x=>x.${item})`;
    return [`${readAllPages(to, api, "", kept)}${to}=[...new Set(${to})];print(${to})`];
  };

/** Titles that a list API gives with each item; `$` is the title. */
export const entitled =
  <R extends TableRow>(
    api: string,
    item: string,
    of: (row: R) => string,
    missing: string,
  ): NeedsPhrase<Title<R>> =>
  (...phrase) => ({
    ...titleBy<R>({ nameOf: of, find: jsLiteral, missing: wordList(missing) })(...phrase),
    cells: (title, out) => [
      `${readAllPages(out, api, "", `.filter(x=>x.${item}===${jsLiteral(title)}).map(x=>x.id)`)}print(${out})`,
    ],
  });
