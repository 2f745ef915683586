/** The kit for stateful API worlds: how one is written (`define*`), opened (`openWorld`) and proved (`checkWorld`). */
export {
  type Account,
  accounts,
  faultText,
  pageOf,
  pageParam,
  pageSchema,
  typeText,
} from "./api/index.ts";
export {
  apisWithoutExample,
  type HandlerException,
  type TaskReport,
  type WorldReport,
} from "./check/index.ts";
export { sameAnswer } from "./checks/index.ts";
export * from "./define.ts";
export { resolveDials } from "./dials/index.ts";
export { WorldInstance } from "./episode/index.ts";
export {
  type AllSplitsReport,
  type CheckWorldOptions,
  checkWorld,
  type Inventory,
  type OpenWorldOptions,
  openWorld,
  type PooledWorld,
} from "./pool/index.ts";
