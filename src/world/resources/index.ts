/**
 * Resources: APIs that are declared by what they do with the rows of a table: list, show, add, change or remove them.
 */
export {
  ColumnType,
  type DeclaredTable,
  declareTable,
  declareTables,
  flag,
  int,
  oneOf,
  type RowOf,
  real,
  ref,
  text,
} from "./column-types.ts";
export { factsAbout, type RowFacts } from "./facts.ts";
export {
  apiWithoutParameters,
  countNames,
  countReferencingRows,
  countsApi,
  nameCountItem,
  textOfReferencedRow,
  textOfReferencingRow,
} from "./fields.ts";
export {
  defineItem,
  defineObjectItem,
  type Fields,
  type FieldTypes,
  type Item,
  type ViewContext,
} from "./item.ts";
export {
  atLeast,
  atMost,
  type Filters,
  filterWhere,
  filterWhether,
  type ListOptions,
  listApi,
} from "./list.ts";
export type { Resource, ResourceOptions } from "./options.ts";
export { descending, type Order, type Ordering, orderBy } from "./order.ts";
export {
  booleanParam,
  dayParam,
  idParam,
  longTextParam,
  pagingParams,
  queryParam,
  shortTextParam,
} from "./params.ts";
export { type RefusalMessage, refuseUnless } from "./refuse-unless.ts";
export { resource, rowById } from "./resource.ts";
export {
  containsIgnoringCase,
  equalIgnoringCase,
  firstRowId,
  newestFirst,
  requireFreeName,
  requireSomeArgument,
  rowByName,
  suggestion,
  tally,
  upsertRow,
  withoutUndefined,
} from "./rows.ts";
