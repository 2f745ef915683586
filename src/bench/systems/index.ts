/** Rows of `docs/algorithms/systems.md` as data, and the check of what they do on a real world. */
export { checkSystems, rowsNamed, type SystemsEvent, type SystemsOptions } from "./check.ts";
export { MECHANISM_NOTES, type MechanismNote } from "./mechanism-notes.ts";
export { systemsPage } from "./page.ts";
export { SYSTEMS } from "./rows/index.ts";
export { commandLineOf, type FieldValue, type System } from "./system.ts";
export { type Verdict, verdictSchema, verdictsSchema } from "./verdict.ts";
