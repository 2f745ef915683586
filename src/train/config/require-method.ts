/**
 * Checks that a user's method has everything that a run needs. The compiler demands the same, but tsx runs a module
 * without checking its types. Without these checks, a mistake would crash a run in the middle or be ignored silently.
 */
import { BowlineError, collectActiveFields, isSection, type Section } from "../../core/index.ts";
import { EVERY_METHOD, type Method } from "../../methods/index.ts";
import { SETTING_SECTIONS } from "./setting-sections.ts";

/**
 * Returns the value as a method. Throws a `config` error that says what the method lacks. `from` names its origin in
 * the error.
 */
export function requireMethod(value: unknown, from: string): Method {
  if (!isMethod(value)) {
    throw methodError(
      `expected ${from} to be a method, as defineMethod() returns it (name, sections, collect, grade, learn)`,
    );
  }
  const { sections, preset } = value;
  const taken = Object.keys(sections).find((name) => Object.hasOwn(SETTING_SECTIONS, name));
  if (taken !== undefined) {
    throw methodError(
      `${from} has a section ${taken}, which every run already has; give your section another name`,
    );
  }
  const algo = listFieldNames(sections["algo"]);
  const missing = Object.keys(EVERY_METHOD).find((name) => !algo.has(name));
  if (missing !== undefined) {
    throw methodError(
      `${from} has no field algo.${missing}; put EVERY_METHOD into its section algo: section({ ...EVERY_METHOD, ... })`,
    );
  }
  for (const [name, fields] of Object.entries(preset)) {
    const known = { ...SETTING_SECTIONS, ...sections }[name];
    const stranger = Object.keys(fields).find((field) => !listFieldNames(known).has(field));
    if (stranger !== undefined) {
      throw methodError(
        `the preset of ${from} sets ${name}.${stranger}, a field that it does not have`,
      );
    }
  }
  return value;
}

const METHOD_FUNCTIONS = [
  "conflict",
  "needs",
  "usesReference",
  "usesSolutions",
  "collect",
  "grade",
  "learn",
] as const satisfies readonly (keyof Method)[];

function isMethod(value: unknown): value is Method {
  if (typeof value !== "object" || value === null) return false;
  const hasPart = (name: string, type: string) => {
    const part = (value as Record<string, unknown>)[name];
    return typeof part === type && part !== null;
  };
  return (
    hasPart("name", "string") &&
    hasPart("sections", "object") &&
    hasPart("preset", "object") &&
    METHOD_FUNCTIONS.every((name) => hasPart(name, "function"))
  );
}

/** Returns the names of all fields of a section, including the fields of every option that can be chosen. */
function listFieldNames(field: Method["sections"][string] | undefined): ReadonlySet<string> {
  if (field === undefined || !isSection(field)) return new Set();
  return new Set(listNamesInSection(field));
}

function listNamesInSection(group: Section<unknown>): string[] {
  const own = [...collectActiveFields(group, () => "").keys()];
  const inner = group.choices.flatMap(({ cases, otherCase: otherwise }) =>
    [...Object.values(cases), ...(otherwise ? [otherwise] : [])].flatMap(listNamesInSection),
  );
  return [...own, ...inner];
}

const methodError = (message: string) => new BowlineError("config", `method: ${message}`);
