/** The adapter to the servers of AppWorld (arXiv 2407.18901). */
export type { AppWorldDefinition } from "./define.ts";
export { defineAppWorld } from "./define-appworld.ts";
