/** Writes sections as JSON Schema. The description of a field says which choice it needs. */
import { z } from "zod";
import { type Field, isSection, type Section } from "./section.ts";

export type JsonObject = { readonly [key: string]: unknown };

/** Returns a JSON Schema (draft 2020-12). It allows exactly those fields that exist under some choice. */
export function sectionJsonSchema(group: Section<unknown>): JsonObject {
  const properties = new Map<string, JsonObject>();
  collectProperties(group, [], properties);
  const object = {
    type: "object",
    ...(group.description !== "" && { description: group.description }),
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
  return group.nullable ? { anyOf: [object, { type: "boolean" }, { type: "null" }] } : object;
}

function collectProperties(
  group: Section<unknown>,
  conditions: readonly string[],
  properties: Map<string, JsonObject>,
): void {
  for (const { fieldName, leaf, cases, otherCase } of group.choices) {
    properties.set(fieldName, createFieldSchema(leaf, conditions));
    for (const [value, inner] of Object.entries(cases)) {
      collectProperties(inner, [...conditions, `${fieldName} is ${value}`], properties);
    }
    if (otherCase) {
      collectProperties(otherCase, [...conditions, `${fieldName} is a module's path`], properties);
    }
  }
  for (const [name, field] of Object.entries(group.shape)) {
    if (!properties.has(name)) properties.set(name, createFieldSchema(field, conditions));
  }
}

function createFieldSchema(field: Field, conditions: readonly string[]): JsonObject {
  if (isSection(field)) return sectionJsonSchema(field);
  const { $schema: _, ...schema } = z.toJSONSchema(field, { io: "input" }) as JsonObject;
  if (conditions.length === 0) return schema;
  return {
    ...schema,
    description: `${schema["description"] ?? ""} (where ${conditions.join(", ")})`,
  };
}

/** Returns the field or group at a dotted path, or undefined when there is none. */
export function findField(group: Section<unknown>, path: string): Field | undefined {
  const [name = "", ...rest] = path.split(".");
  const found = findFieldInAnyCase(group, name);
  if (found === undefined || rest.length === 0) return found;
  return isSection(found) ? findField(found, rest.join(".")) : undefined;
}

function findFieldInAnyCase({ shape, choices }: Section<unknown>, name: string): Field | undefined {
  if (Object.hasOwn(shape, name)) return shape[name];
  for (const { fieldName, leaf, cases, otherCase } of choices) {
    if (fieldName === name) return leaf;
    for (const inner of [...Object.values(cases), ...(otherCase ? [otherCase] : [])]) {
      const found = findFieldInAnyCase(inner, name);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Returns the JSON Schema of one field or group. */
export function fieldJsonSchema(field: Field): JsonObject {
  return createFieldSchema(field, []);
}
