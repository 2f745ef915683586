/**
 * Parses raw input to the value of a section. It fills in defaults, and reports a mistake with the path of the field.
 */
import type { z } from "zod";
import { formatValue } from "../arguments.ts";
import { BowlineError, nearestWord } from "../errors.ts";
import { describeExpectedValue, listFields } from "./list-fields.ts";
import {
  type Choice,
  collectActiveChoices,
  collectActiveFields,
  type Field,
  isSection,
  type Section,
} from "./section.ts";

type PlainObject = { readonly [name: string]: unknown };

/**
 * Parses `raw` as a section. `path` is the path of the section itself, for messages. Throws a `config` error that names
 * the field, what was expected and what came.
 */
export function parseSection<T>(group: Section<T>, raw: unknown, path = ""): T {
  return parseGroup(group as Section<unknown>, raw, path) as T;
}

function parseGroup(group: Section<unknown>, raw: unknown, path: string): unknown {
  if (group.nullable && (raw === null || raw === false)) return null;
  if (group.nullable === "off" && raw === undefined) return null;
  const rawFields = raw === undefined || (group.nullable && raw === true) ? {} : raw;
  if (!isPlainObject(rawFields)) {
    const names = listFields(group, "").map((field) => field.path);
    throw configError(
      `${path || "a configuration"}: expected ${group.nullable ? "null, true or " : ""}a group of fields (${names.join(", ")}), got ${formatValue(raw)}`,
    );
  }
  const getChosenCase = (choice: Choice<unknown>) =>
    String(parseLeaf(choice.leaf, rawFields[choice.fieldName], joinPath(path, choice.fieldName)));
  const fields = collectActiveFields(group, getChosenCase);
  const unknownField = Object.keys(rawFields).find((name) => !fields.has(name));
  if (unknownField !== undefined)
    throw unknownFieldError(group, fields, unknownField, path, getChosenCase);
  return Object.fromEntries(
    [...fields].map(([name, field]) => [
      name,
      parseField(field, rawFields[name], joinPath(path, name)),
    ]),
  );
}

function parseField(field: Field, raw: unknown, path: string): unknown {
  return isSection(field) ? parseGroup(field, raw, path) : parseLeaf(field, raw, path);
}

function parseLeaf(leaf: Exclude<Field, Section<unknown>>, raw: unknown, path: string): unknown {
  const result = leaf.safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const inner = (issue?.path ?? []) as PropertyKey[];
  if (issue?.code === "unrecognized_keys") {
    throw configError(`unknown field ${[path, ...inner, issue.keys[0]].join(".")}`);
  }
  const received = inner.reduce<unknown>(
    (value, key) => (value as PlainObject | undefined)?.[String(key)],
    raw,
  );
  const expected = inner.length === 0 ? describeExpectedValue(leaf) : describeIssue(issue!);
  throw configError(
    `${[path, ...inner].join(".")}: expected ${expected}, got ${formatValue(received)}`,
  );
}

/** Describes what zod expected at an issue inside a leaf. The alternatives of a union are joined by "or". */
function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `no ${issue.keys.join(", ")}`;
  if (issue.code !== "invalid_union") {
    return issue.message.replace(/^[^:]*: expected /, "").replace(/, received .*$/, "");
  }
  const alternatives = issue.errors.flatMap(([first]) => {
    if (first === undefined) return [];
    const place = first.path.length > 0 ? ` as its ${first.path.join(".")}` : "";
    return `${describeIssue(first)}${place}`;
  });
  return [...new Set(alternatives)].join(" or ");
}

/**
 * Creates the error for a field that is unexpected: it exists only under another choice, which is cured by leaving it
 * out, or there is no such field at all.
 */
function unknownFieldError(
  group: Section<unknown>,
  fields: ReadonlyMap<string, Field>,
  name: string,
  path: string,
  getChosenCase: (choice: Choice<unknown>) => string,
): BowlineError {
  const inactiveField = listFields(group, path).find(
    (field) => field.path === joinPath(path, name),
  );
  if (inactiveField && inactiveField.where.length > 0) {
    const currentChoices = collectActiveChoices(group, getChosenCase)
      .map((choice) => [joinPath(path, choice.fieldName), getChosenCase(choice)])
      .filter(([field]) =>
        inactiveField.where.some((condition) => condition.startsWith(`${field} is `)),
      )
      .map(([field, value]) => `${field} is ${value}`);
    return new BowlineError(
      "config",
      `${joinPath(path, name)} exists only where ${inactiveField.where.join(" and ")}, but here ${currentChoices.join(", ")}`,
      { cure: { [joinPath(path, name)]: null } },
    );
  }
  const suggestion = nearestWord(name, fields.keys());
  return configError(
    `unknown field ${joinPath(path, name)}${suggestion ? ` (did you mean ${joinPath(path, suggestion)}?)` : ""}; fields of ${path || "a configuration"}: ${[...fields.keys()].join(", ")}`,
  );
}

/** Returns true if a value is an object that is neither null nor an array. */
export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const joinPath = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);
const configError = (message: string) => new BowlineError("config", message);
