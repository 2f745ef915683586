/** Calls of APIs: dispatch, validation, documentation, and the two apps that every world has. */
export {
  type CallResult,
  cloneSession,
  Dispatcher,
  type DispatcherOptions,
  type Session,
} from "./dispatch.ts";
export { faultText, placeOf } from "./fault.ts";
export { accountOf, requireAccounts } from "./logins.ts";
export { type Account, accounts, finishOf } from "./me.ts";
export { type Page, pageOf, pageParam, pageSchema } from "./page.ts";
export { type JsonSchema, jsonSchema, typeText } from "./types.ts";
export { type Doing, during, UNWATCHED, type Watch } from "./watch.ts";
