/** The kit for stateful API worlds: how one is written (`define*`), opened (`openWorld`) and proved (`checkWorld`). */
export { type Account, accounts, pageOf, pageParam, pageSchema, typeText } from "./api/index.ts";
export type { TaskReport, WorldReport } from "./check/index.ts";
export { sameAnswer } from "./checks/index.ts";
export * from "./define.ts";
export { WorldInstance } from "./episode/index.ts";
export {
  type CheckWorldOptions,
  checkWorld,
  type OpenWorldOptions,
  openWorld,
} from "./pool/index.ts";
