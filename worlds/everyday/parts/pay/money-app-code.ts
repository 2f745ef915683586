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

/** Writes code of a relation: the distinct values of `item`, an expression over the key `k`, for all keys. */
export const distinctForEachKey = (item: string) => (from: string) =>
  `[...new Set(${from}.map(k=>${item}))].filter(k=>k!==null)`;

/** Writes cells of a relation: a property of those items of a list whose ids are in the set. */
export const propertyOfItemsInSet =
  (api: string, item: string, also = ""): RelationCells =>
  (from, to) => {
    const kept = `.filter(x=>${from}.includes(x.id)${also}).map(x=>x.${item})`;
    return [`${readAllPages(to, api, "", kept)}${to}=[...new Set(${to})];print(${to})`];
  };

/** Makes a title that a list API gives with each item. `$` is the title. */
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
