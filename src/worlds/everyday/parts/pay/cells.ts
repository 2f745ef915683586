/** Code that solutions of the money apps share: loops over pages, and over the keys of a set. */
import {
  js,
  listOf,
  type Relation,
  type Tagged,
  type Title,
  titled,
} from "../../../../goals/index.ts";
import type { TableRow } from "../../../../world/index.ts";

type Cells = Relation["cells"];

/** For a relation: what `item`, an expression of the key `k`, gives for each of the keys, once. */
export const each = (item: string) => (from: string) =>
  `[...new Set(${from}.map(k=>${item}))].filter(k=>k!==null)`;

/** For a relation: the distinct keys that all pages of a list call give for each of the keys `k`. */
export const gather =
  (api: string, args: string): Cells =>
  (from, to) => [
    `var ${to}=[];for(const k of ${from}){let p=1,r;do{r=apis.${api}({${args},size:20,page:p++});${to}.push(...r.items.map(x=>x.id))}while(r.more)}${to}=[...new Set(${to})];print(${to})`,
  ];

/** Leaves in `out` what is kept of the items on all pages of a list call. */
const pages = (api: string, out: string, kept: string) =>
  `var ${out}=[],p=1,r;do{r=apis.${api}({size:20,page:p++});${out}.push(...r.items.${kept})}while(r.more);`;

/** For a relation: what a list call tells of those of its items that are in the set. */
export const among =
  (api: string, item: string, also = ""): Cells =>
  (from, to) => {
    const kept = `filter(x=>${from}.includes(x.id)${also}).map(x=>x.${item})`;
    return [`${pages(api, to, kept)}${to}=[...new Set(${to})];print(${to})`];
  };

/** Titles that a list API gives with each item; `$` is the title. */
export const entitled =
  <R extends TableRow>(
    api: string,
    item: string,
    of: (row: R) => string,
    missing: string,
  ): Tagged<Title<R>> =>
  (...phrase) => ({
    ...titled<R>({ of, find: js, missing: listOf(missing) })(...phrase),
    cells: (title, out) => [
      `${pages(api, out, `filter(x=>x.${item}===${js(title)}).map(x=>x.id)`)}print(${out})`,
    ],
  });
