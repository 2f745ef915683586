/** Every field that a section may have, whatever is chosen: for help texts, forms and hints. */
import { z } from "zod";
import { type Choice, type Field, isSection, type Section } from "./section.ts";

/** A field of the configuration as help, `bowline config` and the JSON schema show it. */
export interface FieldInfo {
  /** `algo.groupSize` */
  readonly path: string;
  readonly description: string;
  /** In words: "an integer from 2 to 1024". */
  readonly expected: string;
  /** As it may be written: of a group that is on by itself, true. */
  readonly default: unknown;
  /** What must be chosen for it to exist: "algo.ratio is token"; empty: nothing. */
  readonly where: readonly string[];
  /** A group that may be off; its fields follow. */
  readonly isGroup: boolean;
  /** Of JSON Schema; a list is "array" beside what it holds, "integers" or "strings". */
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
  /** Said of a list or a schedule, which no bounds describe. */
  readonly expected?: string;
  readonly description?: string;
  readonly default?: unknown;
}

/** In the order of the shape. A field of several cases is listed once, with what they have in common. */
export function listFields(
  group: Section<unknown>,
  prefix: string,
  where: readonly string[] = [],
): FieldInfo[] {
  const own = group.choices.flatMap((choice) => choiceFields(choice, prefix, where));
  const plain = Object.entries(group.shape).flatMap(([name, field]) =>
    fieldInfos(field, prefix === "" ? name : `${prefix}.${name}`, where),
  );
  return [...own, ...plain];
}

function choiceFields(
  choice: Choice<unknown>,
  prefix: string,
  where: readonly string[],
): FieldInfo[] {
  const path = prefix === "" ? choice.on : `${prefix}.${choice.on}`;
  const found = new Map<string, { info: FieldInfo; values: string[] }>();
  const cases: [string, Section<unknown>][] = Object.entries(choice.cases);
  if (choice.otherwise) cases.push(["a module's path", choice.otherwise]);
  for (const [value, inner] of cases) {
    for (const info of listFields(inner, prefix)) {
      const known = found.get(info.path);
      if (known) known.values.push(value);
      else found.set(info.path, { info, values: [value] });
    }
  }
  const inner = [...found.values()].map(({ info, values }) => ({
    ...info,
    where: [...where, `${path} is ${values.join(" or ")}`, ...info.where],
  }));
  return [...fieldInfos(choice.leaf, path, where), ...inner];
}

function fieldInfos(field: Field, path: string, where: readonly string[]): FieldInfo[] {
  if (!isSection(field)) return [leafInfo(field, path, where)];
  if (!field.nullable) return listFields(field, path, where);
  const { description } = field;
  const expected = "null (off), true (on, with its defaults), or its fields";
  const info = {
    path,
    description,
    expected,
    default: field.nullable === "on" ? true : null,
    where,
    isGroup: true,
    types: ["group"],
  };
  return [info, ...listFields(field, path, [...where, `${path} is on`])];
}

function leafInfo(leaf: z.ZodType, path: string, where: readonly string[]): FieldInfo {
  const schema = z.toJSONSchema(leaf, { io: "input" }) as JsonSchema;
  return {
    path,
    description: schema.description ?? "",
    expected: inWords(schema),
    default: schema.default,
    where,
    isGroup: false,
    types: typesOf(schema),
  };
}

function typesOf({ type, anyOf, items, prefixItems }: JsonSchema): string[] {
  if (anyOf !== undefined) return anyOf.flatMap(typesOf);
  if (type !== "array") return [type ?? "string"];
  const each = prefixItems?.[0] ?? items;
  return ["array", `${each?.type ?? "object"}s`];
}

export function expectedOf(leaf: z.ZodType): string {
  return inWords(z.toJSONSchema(leaf, { io: "input" }) as JsonSchema);
}

function inWords(schema: JsonSchema): string {
  if (schema.expected !== undefined) return schema.expected;
  if (schema.anyOf !== undefined) return schema.anyOf.map(inWords).join(" or ");
  if (schema.enum !== undefined) return `one of ${schema.enum.join(", ")}`;
  if (schema.type === "boolean") return "true or false";
  if (schema.type === "null") return "null";
  if (schema.type === "string") return "a name";
  return `${schema.type === "integer" ? "an integer" : "a number"} from ${schema.minimum} to ${schema.maximum}`;
}
