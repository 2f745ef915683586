/**
 * What a method of one's own must have to be run: types say it where they are checked, and a module that tsx runs is not.
 * Everything that would otherwise show as a crash in the middle of a run, or be left out silently, is named here.
 */
import { BowlineError, collectActiveFields, isSection, type Section } from "../../core/index.ts";
import { EVERY_METHOD, type Method } from "../../methods/index.ts";
import { SETTING_SECTIONS } from "./setting-sections.ts";

/** The value as a method. Throws a `config` error that says what it lacks; `from` names where it came from. */
export function requireMethod(value: unknown, from: string): Method {
  if (!isMethod(value)) {
    throw wrong(
      `expected ${from} to be a method as defineMethod() makes it (name, sections, collect, grade, learn)`,
    );
  }
  const { sections, preset } = value;
  const taken = Object.keys(sections).find((name) => Object.hasOwn(SETTING_SECTIONS, name));
  if (taken !== undefined) {
    throw wrong(
      `${from} has a section ${taken}, which is one of every run; give yours another name`,
    );
  }
  const algo = fieldsOf(sections["algo"]);
  const missing = Object.keys(EVERY_METHOD).find((name) => !algo.has(name));
  if (missing !== undefined) {
    throw wrong(
      `${from} has no field algo.${missing}; put EVERY_METHOD into its section algo: section({ ...EVERY_METHOD, ... })`,
    );
  }
  for (const [name, fields] of Object.entries(preset)) {
    const known = { ...SETTING_SECTIONS, ...sections }[name];
    const stranger = Object.keys(fields).find((field) => !fieldsOf(known).has(field));
    if (stranger !== undefined) {
      throw wrong(`the preset of ${from} sets ${name}.${stranger}, a field that it does not have`);
    }
  }
  return value;
}

const FUNCTIONS = [
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
  const has = (name: string, type: string) => {
    const part = (value as Record<string, unknown>)[name];
    return typeof part === type && part !== null;
  };
  return (
    has("name", "string") &&
    has("sections", "object") &&
    has("preset", "object") &&
    FUNCTIONS.every((name) => has(name, "function"))
  );
}

/** Of a section, those of every case of its choices too. */
function fieldsOf(field: Method["sections"][string] | undefined): ReadonlySet<string> {
  if (field === undefined || !isSection(field)) return new Set();
  return new Set(namesOf(field));
}

function namesOf(group: Section<unknown>): string[] {
  const own = [...collectActiveFields(group, () => "").keys()];
  const inner = group.choices.flatMap(({ cases, otherCase: otherwise }) =>
    [...Object.values(cases), ...(otherwise ? [otherwise] : [])].flatMap(namesOf),
  );
  return [...own, ...inner];
}

const wrong = (message: string) => new BowlineError("config", `method: ${message}`);
