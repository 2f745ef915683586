/**
 * Code that reads lists page by page, as careful agents write it: a loop that leaves items in a variable, an expression
 * for all items, and code of relations that uses either. An API is named as `pantry.jars`, its arguments are like
 * `open:true`.
 */
import type { Relation } from "../parts.ts";

type Cells = Relation["cells"];

const pagedCall = (api: string, args: string) =>
  `apis.${api}({${[args, "size:20", "page:p++"].filter(Boolean).join()}})`;

/** Writes a loop that leaves the items of all pages in `out`. `kept` follows `items`, such as `.map(x=>x.id)`. */
export const readAllPages = (out: string, api: string, args = "", kept = ""): string =>
  `var ${out}=[],p=1,r;do{r=${pagedCall(api, args)};${out}.push(...r.items${kept})}while(r.more);`;

/** Writes an expression for the items of all pages. */
export const allItemsExpression = (api: string, args = ""): string =>
  `(()=>{const a=[];let p=1,r;do{r=${pagedCall(api, args)};a.push(...r.items)}while(r.more);return a})()`;

/** Writes a relation's cells: the distinct values that a property of the items has on all pages, for each key `k`. */
export const propertyOnAllPages =
  (api: string, args: string, property = "id", skip = ""): Cells =>
  (from, to) => [
    `var ${to}=[];for(const k of ${from}){${skip}let p=1,r;do{r=${pagedCall(api, args)};${to}.push(...r.items.map(x=>x.${property}))}while(r.more)}${to}=[...new Set(${to})];print(${to})`,
  ];

/**
 * Writes a relation's code: the distinct elements of a list, written as an expression over the key `k`, for all keys.
 */
export const distinctFromEach =
  (items: string, key = "k") =>
  (from: string): string =>
    `[...new Set(${from}.flatMap(${key}=>${items}))]`;

/** Writes a relation's code: the distinct values of a property over those items of a list whose ids are in the set. */
export const propertyOfMembers =
  (api: string, property: string, args = "") =>
  (from: string): string =>
    `[...new Set(${allItemsExpression(api, args)}.filter(x=>${from}.includes(x.id)).map(x=>x.${property}))]`;
