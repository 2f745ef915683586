/** Resources: lists, showing, adding, changing and removing rows, declared. */
export {
  Column,
  type Declared,
  flag,
  int,
  oneOf,
  type RowOf,
  real,
  ref,
  tableOf,
  tablesOf,
  text,
} from "./columns.ts";
export { type Facts, factsOf } from "./facts.ts";
export { countOf, countsApi, ofIts, plainApi, sizeItem, sizesOf, through } from "./fields.ts";
export { asIs, type Fields, type Item, itemOf, type Look, type Types } from "./item.ts";
export {
  atLeast,
  atMost,
  type Filters,
  type ListOptions,
  listing,
  when,
  where,
} from "./list.ts";
export { type Message, must } from "./must.ts";
export type { Resource, ResourceOptions } from "./options.ts";
export { by, falling, type Order, type Ordering } from "./order.ts";
export { day, either, idOf, line, paging, prose, query } from "./params.ts";
export { resource, rowById } from "./resource.ts";
export {
  contains,
  didYouMean,
  firstId,
  freeName,
  given,
  named,
  newestFirst,
  put,
  same,
  someOf,
  tally,
} from "./rows.ts";
