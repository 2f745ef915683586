/** From what was written to a section's value: defaults filled in, and every mistake named by its place. */
import type { z } from "zod";
import { shown } from "../arguments.ts";
import { BowlineError, nearest } from "../errors.ts";
import { expectedOf, listFields } from "./list.ts";
import {
  activeChoices,
  activeFields,
  type Choice,
  type Field,
  isSection,
  type Section,
} from "./section.ts";

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
      `${path || "a configuration"}: expected ${group.nullable ? "null, true or " : ""}a group of fields (${names.join(", ")}), came ${shown(raw)}`,
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
  const expected = inner.length === 0 ? expectedOf(leaf) : expectedBy(issue!);
  throw wrong(`${[path, ...inner].join(".")}: expected ${expected}, came ${shown(came)}`);
}

/** What an issue inside of a leaf says that it expected; of a union, what each of its alternatives does. */
function expectedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `no ${issue.keys.join(", ")}`;
  if (issue.code !== "invalid_union") {
    return issue.message.replace(/^[^:]*: expected /, "").replace(/, received .*$/, "");
  }
  const alternatives = issue.errors.flatMap(([first]) => {
    if (first === undefined) return [];
    const where = first.path.length > 0 ? ` as its ${first.path.join(".")}` : "";
    return `${expectedBy(first)}${where}`;
  });
  return [...new Set(alternatives)].join(" or ");
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
    const now = activeChoices(group, chosen)
      .map((choice) => [at(path, choice.on), chosen(choice)])
      .filter(([on]) => elsewhere.where.some((condition) => condition.startsWith(`${on} is `)))
      .map(([on, value]) => `${on} is ${value}`);
    return `${at(path, name)} exists only where ${elsewhere.where.join(" and ")}, and here ${now.join(", ")}`;
  }
  const near = nearest(name, fields.keys());
  return `unknown field ${at(path, name)}${near ? ` (did you mean ${at(path, near)}?)` : ""}; ${path || "a configuration"} has ${[...fields.keys()].join(", ")}`;
}

export function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const at = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);
const wrong = (message: string) => new BowlineError("config", message);
