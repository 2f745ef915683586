/**
 * Finds the field that a person named in camelCase or kebab-case. When there is none, the error names the nearest
 * field.
 */
import { BowlineError, type FieldInfo, nearestWord, toCamelCase } from "../../core/index.ts";
import { type Method, methods } from "../../methods/index.ts";
import { configFields } from "./config.ts";

/**
 * Returns the field. When the method lacks it, throws a `config` error that names methods with this field, or the
 * nearest field.
 */
export function requireField(path: string, method: Method): FieldInfo {
  const camel = toCamelCase(path);
  const fields = configFields(method);
  const field = fields.find((known) => known.path === camel);
  if (field !== undefined) return field;
  const others = Object.values(methods).filter((other) =>
    configFields(other).some((known) => known.path === camel),
  );
  if (others.length > 0) {
    const names = others.map(({ name }) => name).join(", ");
    throw new BowlineError(
      "config",
      `the method ${method.name} has no field ${camel}; methods that have it: ${names} (--method)`,
    );
  }
  const group = findInnermostGroup(camel, fields);
  const inGroup = fields.filter((known) => known.path.startsWith(`${group}.`));
  const leaf = camel.split(".").at(-1) ?? "";
  const elsewhere = fields.find((known) => known.path.endsWith(`.${leaf}`))?.path;
  const near =
    elsewhere ??
    nearestWord(
      camel,
      fields.map((known) => known.path),
    );
  const sections = [...new Set(fields.map((known) => known.path.split(".")[0]!))];
  const known =
    inGroup.length > 0
      ? `fields of ${group}: ${inGroup.map((field) => field.path.slice(group.length + 1)).join(", ")}`
      : `sections: ${sections.join(", ")}`;
  throw unknownFieldError(path, near ? `did you mean ${near}?` : "", known);
}

/** Returns the innermost section or group on a path that exists; "" if none exists. */
function findInnermostGroup(path: string, fields: readonly FieldInfo[]): string {
  const group = path.slice(0, Math.max(path.lastIndexOf("."), 0));
  if (group === "" || fields.some((known) => known.path.startsWith(`${group}.`))) return group;
  return findInnermostGroup(group, fields);
}

function unknownFieldError(path: string, suggestion: string, known?: string): BowlineError {
  const rest = [
    ...(suggestion === "" ? [] : [` (${suggestion})`]),
    ...(known ? [`; ${known}`] : []),
  ];
  return new BowlineError("config", `unknown field ${path}${rest.join("")}`);
}
