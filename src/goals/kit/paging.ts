/**
 * Code that reads lists page by page, as careful agents write it: a loop that leaves items in a variable, an expression
 * for all items, and the code of relations that use one of these. An API is named as `pantry.jars`, its arguments are
 * like `open:true`.
 */
import type { Relation } from "../parts.ts";

type Cells = Relation["cells"];

const pagedCall = (api: string, args: string) =>
  `apis.${api}({${[args, "size:20", "page:p++"].filter(Boolean).join()}})`;

/**
 * Writes a loop that collects the items of all pages in `out`. `kept` is appended to `items`, such as `.map(x=>x.id)`.
 */
export const readAllPages = (out: string, api: string, args = "", kept = ""): string =>
  `var ${out}=[],p=1,r;do{r=${pagedCall(api, args)};${out}.push(...r.items${kept})}while(r.more);`;

/** Writes an expression whose value is the items of all pages. */
export const allItemsExpression = (api: string, args = ""): string =>
  `(()=>{const a=[];let p=1,r;do{r=${pagedCall(api, args)};a.push(...r.items)}while(r.more);return a})()`;

/**
 * Writes the cells of a relation. For each key `k`, they collect the distinct values of a property of the items on all
 * pages.
 */
export const propertyOnAllPages =
  (api: string, args: string, property = "id", skip = ""): Cells =>
  (from, to) => [
    `var ${to}=[];for(const k of ${from}){${skip}let p=1,r;do{r=${pagedCall(api, args)};${to}.push(...r.items.map(x=>x.${property}))}while(r.more)}${to}=[...new Set(${to})];print(${to})`,
  ];

/**
 * Writes the code of a relation: the distinct elements of a list, over all keys. The list is an expression over the key
 * `k`.
 */
export const distinctFromEach =
  (items: string, key = "k") =>
  (from: string): string =>
    `[...new Set(${from}.flatMap(${key}=>${items}))]`;

/**
 * Writes the code of a relation: the distinct values of a property, over those items of a list whose ids are in the
 * set.
 */
export const propertyOfMembers =
  (api: string, property: string, args = "") =>
  (from: string): string =>
    `[...new Set(${allItemsExpression(api, args)}.filter(x=>${from}.includes(x.id)).map(x=>x.${property}))]`;
