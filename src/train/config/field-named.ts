/** From what a person called a field to the field: camelCase or kebab-case, and otherwise the nearest that there is. */
import { BowlineError, type FieldInfo, nearestWord, toCamelCase } from "../../core/index.ts";
import { type Method, methods } from "../../methods/index.ts";
import { configFields } from "./config.ts";

/** Throws a `config` error that says where a field is read that this method does not have, or what there is instead. */
export function fieldNamed(path: string, method: Method): FieldInfo {
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
      `${camel} is no field of the method ${method.name}; methods that read it: ${names} (--method)`,
    );
  }
  const group = groupOf(camel, fields);
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
      ? `${group} has ${inGroup.map((one) => one.path.slice(group.length + 1)).join(", ")}`
      : `sections: ${sections.join(", ")}`;
  throw unknown(path, near ? `did you mean ${near}?` : "", known);
}

/** The innermost section or group that a path names and that there is. */
function groupOf(path: string, fields: readonly FieldInfo[]): string {
  const group = path.slice(0, Math.max(path.lastIndexOf("."), 0));
  if (group === "" || fields.some((known) => known.path.startsWith(`${group}.`))) return group;
  return groupOf(group, fields);
}

function unknown(path: string, instead: string, known?: string): BowlineError {
  const rest = [...(instead === "" ? [] : [` (${instead})`]), ...(known ? [`; ${known}`] : [])];
  return new BowlineError("config", `unknown field ${path}${rest.join("")}`);
}
