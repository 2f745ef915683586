/** API calls: dispatch, validation, documentation, and the two apps that every world has. */
export {
  type ApiDescription,
  ApiDispatcher,
  type ApiDispatcherOptions,
  type CallResult,
  cloneSession,
  type EpisodeSession,
} from "./dispatch.ts";
export { findUserCodePlace, formatFault } from "./fault.ts";
export { findAccount, requireAccounts } from "./logins.ts";
export { type Account, accounts, readFinish } from "./me.ts";
export { type Page, pageParam, pageSchema, takePage } from "./page.ts";
export { formatType, type JsonSchema, toJsonSchema } from "./types.ts";
export { blameUserCode, requireNoPromise, runUserCode } from "./user-code.ts";
export { type Activity, type ActivityWatch, NO_WATCH, runWatched } from "./watch.ts";
