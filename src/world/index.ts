/** The kit for stateful API worlds: how one is written (`define*`), opened (`openWorld`) and proved (`checkWorld`). */
export { apisWithoutExample } from "./check/index.ts";
export { WorldInstance } from "./episode/index.ts";
export * from "./kit.ts";
