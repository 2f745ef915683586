/**
 * Tables of outside formats. A table says of every field that somebody else's file or request may have what happens to
 * it: it is computed, it is harmless, or it is refused. A field that is not in the table is unknown, and unknown fields
 * are refused or named to the user; none is dropped without a word.
 *
 * Reading goes through the table, and its result has only the computed fields. So no code can read a field of which the
 * table says nothing.
 */
import { z } from "zod";

/** The field is read. `schema` checks it and may convert it. */
export interface ComputedField<S extends z.ZodType = z.ZodType> {
  readonly is: "computed";
  readonly schema: S;
  /** What the field does here: one sentence without a full stop. */
  readonly note: string;
}

/** The field changes nothing here, at least with the values that `schema` accepts. All other values are refused. */
export interface HarmlessField {
  readonly is: "harmless";
  readonly schema: z.ZodType;
  /** The harmless values in words. The default, "any value", belongs to the schema `z.unknown()`. */
  readonly values: string;
  readonly note: string;
}

/** The field asks for something that is not computed here. Its presence is an error, unless it is null. */
export interface RefusedField {
  readonly is: "refused";
  readonly note: string;
}

/** The field is not obeyed, and the user is told that, unless the field is null or changes nothing. */
export interface NamedField {
  readonly is: "named";
  /** The values that change nothing and are not named. Without it, there are none. */
  readonly harmless?: { readonly schema: z.ZodType; readonly values: string };
  readonly note: string;
}

export type FieldRule = ComputedField | HarmlessField | RefusedField | NamedField;

export interface FormatTable<
  F extends Readonly<Record<string, FieldRule>> = Readonly<Record<string, FieldRule>>,
> {
  /** What the format is called in messages and on the page of all formats: "PEFT's adapter_config.json". */
  readonly name: string;
  /** What happens to a field that the table does not have, unless it is null. */
  readonly unknown: "refused" | "named";
  /**
   * The rules by field. A name that ends with `*` is a rule for all other fields that start with the part before it.
   */
  readonly fields: F;
}

/** The computed fields of a table, as their schemas return them. */
export type ComputedFields<F extends Readonly<Record<string, FieldRule>>> = z.output<
  z.ZodObject<{
    -readonly [K in keyof F as F[K] extends ComputedField ? K : never]: SchemaOf<F[K]>;
  }>
>;
type SchemaOf<R> = R extends ComputedField<infer S> ? S : never;

export const computed = <S extends z.ZodType>(schema: S, note: string): ComputedField<S> => ({
  is: "computed",
  schema,
  note,
});
export const harmless = (note: string): HarmlessField => ({
  is: "harmless",
  schema: z.unknown(),
  values: "any value",
  note,
});
/** A field that is harmless with some values and refused with all others. `values` names them in words. */
export const harmlessIf = (schema: z.ZodType, values: string, note: string): HarmlessField => ({
  is: "harmless",
  schema: z.union([schema, z.null(), z.undefined()]),
  values,
  note,
});
export const refused = (note: string): RefusedField => ({ is: "refused", note });
export const named = (note: string): NamedField => ({ is: "named", note });
/** A field that is named with all values except some that change nothing. `values` names them in words. */
export const namedUnless = (schema: z.ZodType, values: string, note: string): NamedField => ({
  is: "named",
  harmless: { schema, values },
  note,
});

/** Checks the types of a table's rows and returns the table. */
export function defineFormat<const F extends Readonly<Record<string, FieldRule>>>(
  table: FormatTable<F>,
): FormatTable<F> {
  return table;
}

/** The paths of named fields inside one parsed object. It is a symbol, so that readers do not take it for a field. */
const NAMED_FIELDS = Symbol("named fields");

/**
 * Returns the schema of a table's objects. Its output has the computed fields alone. `listNamedFields` returns the
 * fields that were not obeyed, also those of objects inside.
 */
export function formatSchema<F extends Readonly<Record<string, FieldRule>>>(
  table: FormatTable<F>,
): z.ZodType<ComputedFields<F>> {
  const findRule = createRuleFinder(table.fields);
  const shape = Object.fromEntries(
    Object.entries<FieldRule>(table.fields).flatMap(([name, rule]) =>
      rule.is === "computed" ? [[name, rule.schema]] : [],
    ),
  );
  const keepComputedFields = (
    object: Readonly<Record<string, unknown>>,
    context: z.RefinementCtx,
  ) => {
    const kept: Record<string, unknown> = {};
    const named: string[] = [];
    for (const name of Object.keys(object)) {
      const value = object[name];
      const rule = findRule(name);
      if (rule?.is === "computed") {
        kept[name] = value;
        continue;
      }
      const message = describeProblem(rule, value, table);
      // Servers whose protocol has an error of its own for unknown fields tell them from other issues by this.
      const params = { isUnknownField: rule === undefined };
      if (message !== undefined) {
        context.addIssue({ code: "custom", path: [name], message, params });
      } else if (isNamed(rule, value)) named.push(name);
    }
    if (named.length > 0) {
      Object.defineProperty(kept, NAMED_FIELDS, { value: named, enumerable: false });
    }
    return kept;
  };
  const schema = z.looseObject(shape).transform(keepComputedFields);
  return schema as unknown as z.ZodType<ComputedFields<F>>;
}

/** Returns a function that finds the rule of a field: its own, or that of the longest prefix that the table has. */
function createRuleFinder(
  fields: Readonly<Record<string, FieldRule>>,
): (name: string) => FieldRule | undefined {
  const exact = new Map(Object.entries(fields));
  const prefixes = [...exact]
    .flatMap(([name, rule]) => (name.endsWith("*") ? [{ prefix: name.slice(0, -1), rule }] : []))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  return (name) => exact.get(name) ?? prefixes.find(({ prefix }) => name.startsWith(prefix))?.rule;
}

function describeProblem(
  rule: FieldRule | undefined,
  value: unknown,
  { unknown }: FormatTable,
): string | undefined {
  if (value === undefined) return;
  switch (rule?.is) {
    case "refused":
      return value === null ? undefined : `${rule.note} (got ${printValue(value)})`;
    case "harmless":
      if (rule.schema.safeParse(value).success) return;
      return `expected ${rule.values}, got ${printValue(value)}: ${rule.note}`;
    case undefined:
      if (unknown === "named" || value === null) return;
      return `this field is unknown here (got ${printValue(value)})`;
    default:
      return;
  }
}

function isNamed(rule: FieldRule | undefined, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (rule === undefined) return true;
  return rule.is === "named" && !rule.harmless?.schema.safeParse(value).success;
}

function printValue(value: unknown): string {
  const text = stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function stringify(value: unknown): string {
  try {
    const replace = (_: string, inner: unknown) =>
      typeof inner === "bigint" ? String(inner) : inner;
    return JSON.stringify(value, replace) ?? String(value);
  } catch {
    // A parser of JSON follows any depth, and printing does not.
    return "a value that is nested too deeply";
  }
}

/** Returns the paths of all fields in a parsed value that are not obeyed, such as "messages.2.audio". */
export function listNamedFields(parsed: unknown): string[] {
  if (typeof parsed !== "object" || parsed === null) return [];
  const found = [...((parsed as { [NAMED_FIELDS]?: readonly string[] })[NAMED_FIELDS] ?? [])];
  for (const [name, inner] of Object.entries(parsed)) {
    for (const path of listNamedFields(inner)) found.push(`${name}.${path}`);
  }
  return found;
}

/** A row of the page that documents a table. */
export interface FieldDescription {
  readonly field: string;
  /** "computed", "harmless: any value", "refused", "named" or "named, unless 0". */
  readonly treatment: string;
  readonly note: string;
}

function describeTreatment(rule: FieldRule): string {
  if (rule.is === "harmless") return `harmless: ${rule.values}`;
  return rule.is === "named" && rule.harmless ? `named, unless ${rule.harmless.values}` : rule.is;
}

/** Returns the rows that document a table, in the table's order, and last what happens to unknown fields. */
export function describeFormat({ fields, unknown }: FormatTable): FieldDescription[] {
  const rows = Object.entries(fields).map(([field, rule]) => ({
    field,
    treatment: describeTreatment(rule),
    note: rule.note,
  }));
  return [...rows, { field: "any other field", treatment: unknown, note: "" }];
}
