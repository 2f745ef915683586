/** Code that solutions in the money apps share: loops over pages and over the keys of a set. */
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

type RelationCells = Relation["cells"];

/**
 * Writes the code of a relation: an expression for the distinct values of `item` over all keys. `item` is an expression
 * with the key `k`.
 */
export const distinctForEachKey = (item: string) => (from: string) =>
  `[...new Set(${from}.map(k=>${item}))].filter(k=>k!==null)`;

/** Writes the cells of a relation. They collect a property of those items of a list whose ids are in the set. */
export const propertyOfItemsInSet =
  (api: string, item: string, also = ""): RelationCells =>
  (from, to) => {
    const kept = `.filter(x=>${from}.includes(x.id)${also}).map(x=>x.${item})`;
    return [`${readAllPages(to, api, "", kept)}${to}=[...new Set(${to})];print(${to})`];
  };

/** Makes the title of a collection whose list API gives the title of each item. `$` stands for the title in phrases. */
export const titleOfListItems =
  <R extends TableRow>(
    api: string,
    item: string,
    nameOf: (row: R) => string,
    missing: string,
  ): NeedsPhrase<Title<R>> =>
  (...phrase) => ({
    ...titleBy<R>({ nameOf, find: jsLiteral, missing: wordList(missing) })(...phrase),
    cells: (title, out) => [
      `${readAllPages(out, api, "", `.filter(x=>x.${item}===${jsLiteral(title)}).map(x=>x.id)`)}print(${out})`,
    ],
  });
