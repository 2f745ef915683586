/** From what was written to a section's value: defaults filled in, and every mistake named by its place. */
import { BowlineError, nearest } from "../errors.ts";
import { expectedOf, listFields } from "./list.ts";
import { activeFields, type Choice, type Field, isSection, type Section } from "./section.ts";

type Raw = { readonly [name: string]: unknown };

/** Throws a `config` error that names the field, what was expected and what came. `path`: where the section stands. */
export function parseSection<T>(group: Section<T>, raw: unknown, path = ""): T {
  return parsed(group as Section<unknown>, raw, path) as T;
}

function parsed(group: Section<unknown>, raw: unknown, path: string): unknown {
  if (group.nullable && (raw === null || raw === false)) return null;
  if (group.nullable === "off" && raw === undefined) return null;
  const given = raw === undefined || (group.nullable && raw === true) ? {} : raw;
  if (!isRaw(given)) {
    const names = listFields(group, "").map((field) => field.path);
    throw wrong(
      `${path}: expected ${group.nullable ? "null, true or " : ""}a group of fields (${names.join(", ")}), came ${shown(raw)}`,
    );
  }
  const chosen = (choice: Choice<unknown>) =>
    String(leafValue(choice.leaf, given[choice.on], at(path, choice.on)));
  const fields = activeFields(group, chosen);
  const stranger = Object.keys(given).find((name) => !fields.has(name));
  if (stranger !== undefined) throw wrong(strangerText(group, fields, stranger, path, chosen));
  return Object.fromEntries(
    [...fields].map(([name, field]) => [name, fieldValue(field, given[name], at(path, name))]),
  );
}

function fieldValue(field: Field, raw: unknown, path: string): unknown {
  return isSection(field) ? parsed(field, raw, path) : leafValue(field, raw, path);
}

function leafValue(leaf: Exclude<Field, Section<unknown>>, raw: unknown, path: string): unknown {
  const result = leaf.safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const inner = (issue?.path ?? []) as PropertyKey[];
  if (issue?.code === "unrecognized_keys") {
    throw wrong(`unknown field ${[path, ...inner, issue.keys[0]].join(".")}`);
  }
  const came = inner.reduce<unknown>(
    (value, key) => (value as Raw | undefined)?.[String(key)],
    raw,
  );
  const expected =
    inner.length === 0
      ? expectedOf(leaf)
      : issue!.message.replace(/^(?:Invalid (?:input|option)|Too (?:small|big)): expected /, "");
  throw wrong(`${[path, ...inner].join(".")}: expected ${expected}, came ${shown(came)}`);
}

/** A field of another choice is told from one that there is not. */
function strangerText(
  group: Section<unknown>,
  fields: ReadonlyMap<string, Field>,
  name: string,
  path: string,
  chosen: (choice: Choice<unknown>) => string,
): string {
  const elsewhere = listFields(group, path).find((field) => field.path === at(path, name));
  if (elsewhere && elsewhere.where.length > 0) {
    const now = group.choices.map((choice) => `${at(path, choice.on)} is ${chosen(choice)}`);
    return `${at(path, name)} exists only where ${elsewhere.where.join(" and ")}${now.length > 0 ? `, and here ${now.join(", ")}` : ""}`;
  }
  const near = nearest(name, fields.keys());
  return `unknown field ${at(path, name)}${near ? ` (did you mean ${at(path, near)}?)` : ""}; ${path || "a configuration"} has ${[...fields.keys()].join(", ")}`;
}

export function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const at = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);
const wrong = (message: string) => new BowlineError("config", message);
const shown = (value: unknown) => JSON.stringify(value) ?? "nothing";
