/** Sections as JSON Schema, for editors and forms. A field of another choice is listed with what it asks for. */
import { z } from "zod";
import { type Field, isSection, type Section } from "./section.ts";

export type JsonObject = { readonly [key: string]: unknown };

/** Draft 2020-12. Every field that may be there under some choice; nothing else may. */
export function sectionJsonSchema(group: Section<unknown>): JsonObject {
  const properties = new Map<string, JsonObject>();
  collect(group, [], properties);
  const object = {
    type: "object",
    ...(group.description !== "" && { description: group.description }),
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
  return group.nullable ? { anyOf: [object, { type: "boolean" }, { type: "null" }] } : object;
}

function collect(
  group: Section<unknown>,
  where: readonly string[],
  into: Map<string, JsonObject>,
): void {
  for (const { on, leaf, cases, otherwise } of group.choices) {
    into.set(on, fieldSchema(leaf, where));
    for (const [value, inner] of Object.entries(cases)) {
      collect(inner, [...where, `${on} is ${value}`], into);
    }
    if (otherwise) collect(otherwise, [...where, `${on} is a module's path`], into);
  }
  for (const [name, field] of Object.entries(group.shape)) {
    if (!into.has(name)) into.set(name, fieldSchema(field, where));
  }
}

function fieldSchema(field: Field, where: readonly string[]): JsonObject {
  if (isSection(field)) return sectionJsonSchema(field);
  const { $schema: _, ...schema } = z.toJSONSchema(field, { io: "input" }) as JsonObject;
  if (where.length === 0) return schema;
  return { ...schema, description: `${schema["description"] ?? ""} (where ${where.join(", ")})` };
}

/** Of one field or group by its path; undefined: there is none. */
export function fieldAt(group: Section<unknown>, path: string): Field | undefined {
  const [name = "", ...rest] = path.split(".");
  const found = anyCase(group, name);
  if (found === undefined || rest.length === 0) return found;
  return isSection(found) ? fieldAt(found, rest.join(".")) : undefined;
}

function anyCase({ shape, choices }: Section<unknown>, name: string): Field | undefined {
  if (Object.hasOwn(shape, name)) return shape[name];
  for (const { on, leaf, cases, otherwise } of choices) {
    if (on === name) return leaf;
    for (const inner of [...Object.values(cases), ...(otherwise ? [otherwise] : [])]) {
      const found = anyCase(inner, name);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

export function fieldJsonSchema(field: Field): JsonObject {
  return fieldSchema(field, []);
}
