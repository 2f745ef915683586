/** What every engine owes its callers beside its work (src/spec/engine.ts): the same refusals, in the same words. */
export * from "./validate.ts";
