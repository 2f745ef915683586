/** Lists every field that a section has under any choice, for help texts, forms and hints. */
import { z } from "zod";
import { type Choice, type Field, isSection, type Section } from "./section.ts";

/** A field of the configuration as help, `bowline config` and the JSON schema show it. */
export interface FieldInfo {
  /** The dotted path, such as `algo.groupSize`. */
  readonly path: string;
  readonly description: string;
  /** The expected value in words, such as "an integer from 2 to 1024". */
  readonly expected: string;
  /** The default, in the form in which a configuration may contain it; true for a group that is on by default. */
  readonly default: unknown;
  /**
   * The conditions under which the field exists, such as "algo.ratio is token". The list is empty when the field always
   * exists.
   */
  readonly where: readonly string[];
  /** True for a group that may be off. The fields of the group follow it in the list. */
  readonly isGroup: boolean;
  /**
   * The types by their names in JSON Schema. A list has "array" and the type of its items in the plural, such as
   * "integers" or "strings".
   */
  readonly types: readonly string[];
}

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The expected value in words, for a list or a schedule, which minimum and maximum cannot describe. */
  readonly expected?: string;
  readonly description?: string;
  readonly default?: unknown;
}

/**
 * Lists choices with the fields of their cases, then the other fields. A field that several cases have is listed once.
 */
export function listFields(
  group: Section<unknown>,
  prefix: string,
  conditions: readonly string[] = [],
): FieldInfo[] {
  const choiceFields = group.choices.flatMap((choice) =>
    listChoiceFields(choice, prefix, conditions),
  );
  const otherFields = Object.entries(group.shape).flatMap(([name, field]) =>
    listFieldAndInnerFields(field, prefix === "" ? name : `${prefix}.${name}`, conditions),
  );
  return [...choiceFields, ...otherFields];
}

function listChoiceFields(
  choice: Choice<unknown>,
  prefix: string,
  conditions: readonly string[],
): FieldInfo[] {
  const path = prefix === "" ? choice.fieldName : `${prefix}.${choice.fieldName}`;
  const found = new Map<string, { info: FieldInfo; values: string[] }>();
  const cases: [string, Section<unknown>][] = Object.entries(choice.cases);
  if (choice.otherCase) cases.push(["a module's path", choice.otherCase]);
  for (const [value, inner] of cases) {
    for (const info of listFields(inner, prefix)) {
      const known = found.get(info.path);
      if (known) known.values.push(value);
      else found.set(info.path, { info, values: [value] });
    }
  }
  const inner = [...found.values()].map(({ info, values }) => ({
    ...info,
    where: [...conditions, `${path} is ${values.join(" or ")}`, ...info.where],
  }));
  return [...listFieldAndInnerFields(choice.leaf, path, conditions), ...inner];
}

function listFieldAndInnerFields(
  field: Field,
  path: string,
  conditions: readonly string[],
): FieldInfo[] {
  if (!isSection(field)) return [describeLeaf(field, path, conditions)];
  if (!field.nullable) return listFields(field, path, conditions);
  const { description } = field;
  const expected = "null (off), true (on, with its defaults), or its fields";
  const info = {
    path,
    description,
    expected,
    default: field.nullable === "on" ? true : null,
    where: conditions,
    isGroup: true,
    types: ["group"],
  };
  return [info, ...listFields(field, path, [...conditions, `${path} is on`])];
}

/** Describes a field that is not a group. */
function describeLeaf(leaf: z.ZodType, path: string, conditions: readonly string[]): FieldInfo {
  const schema = z.toJSONSchema(leaf, { io: "input" }) as JsonSchema;
  return {
    path,
    description: schema.description ?? "",
    expected: describeSchema(schema),
    default: schema.default,
    where: conditions,
    isGroup: false,
    types: listTypes(schema),
  };
}

function listTypes({ type, anyOf, items, prefixItems }: JsonSchema): string[] {
  if (anyOf !== undefined) return anyOf.flatMap(listTypes);
  if (type !== "array") return [type ?? "string"];
  const each = prefixItems?.[0] ?? items;
  return ["array", `${each?.type ?? "object"}s`];
}

/** Describes in words which values a leaf accepts. */
export function describeExpectedValue(leaf: z.ZodType): string {
  return describeSchema(z.toJSONSchema(leaf, { io: "input" }) as JsonSchema);
}

function describeSchema(schema: JsonSchema): string {
  if (schema.expected !== undefined) return schema.expected;
  if (schema.anyOf !== undefined) return schema.anyOf.map(describeSchema).join(" or ");
  if (schema.enum !== undefined) return `one of ${schema.enum.join(", ")}`;
  if (schema.type === "boolean") return "true or false";
  if (schema.type === "null") return "null";
  if (schema.type === "string") return "a name";
  return `${schema.type === "integer" ? "an integer" : "a number"} from ${schema.minimum} to ${schema.maximum}`;
}
