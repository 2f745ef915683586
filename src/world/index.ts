/** The kit for stateful API worlds: how one is written (`define*`), opened (`openWorld`) and proved (`checkWorld`). */
export { faultText } from "./api/index.ts";
export { apisWithoutExample } from "./check/index.ts";
export { WorldInstance } from "./episode/index.ts";
export * from "./kit.ts";
export * from "./resources/index.ts";
