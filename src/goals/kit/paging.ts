/**
 * Code that reads lists page by page, as careful agents write it: a loop that leaves items in a variable, an expression for all
 * of them, and what relations make of either. `call` is an API call short of `apis.` and of its page: `pantry.jars`, with
 * arguments `open:true`.
 */
import type { Relation } from "../parts.ts";

type Cells = Relation["cells"];

const pagedCall = (api: string, args: string) =>
  `apis.${api}({${[args, "size:20", "page:p++"].filter(Boolean).join()}})`;

/** Leaves in `out` the items of all pages, or what an expression behind `items` keeps of them: `.map(x=>x.id)`. */
export const readAllPages = (out: string, api: string, args = "", kept = ""): string =>
  `var ${out}=[],p=1,r;do{r=${pagedCall(api, args)};${out}.push(...r.items${kept})}while(r.more);`;

/** An expression for the items of all pages. */
export const allItemsExpression = (api: string, args = ""): string =>
  `(()=>{const a=[];let p=1,r;do{r=${pagedCall(api, args)};a.push(...r.items)}while(r.more);return a})()`;

/** For a relation: the distinct values that the property of the items has on all pages, for each key `k`. */
export const propertyOnAllPages =
  (api: string, args: string, property = "id", skip = ""): Cells =>
  (from, to) => [
    `var ${to}=[];for(const k of ${from}){${skip}let p=1,r;do{r=${pagedCall(api, args)};${to}.push(...r.items.map(x=>x.${property}))}while(r.more)}${to}=[...new Set(${to})];print(${to})`,
  ];

/** For a relation: what an expression for a list, over the key `k`, gives for the keys, each once. */
export const distinctFromEach =
  (items: string, key = "k") =>
  (from: string): string =>
    `[...new Set(${from}.flatMap(${key}=>${items}))]`;

/** For a relation: the property of those items of a list that are in the set, each once. */
export const propertyOfMembers =
  (api: string, property: string, args = "") =>
  (from: string): string =>
    `[...new Set(${allItemsExpression(api, args)}.filter(x=>${from}.includes(x.id)).map(x=>x.${property}))]`;
