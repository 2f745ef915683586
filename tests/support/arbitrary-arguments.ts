/**
 * Generates arguments for any API from its JSON Schema and the data that it works on.
 *
 * An argument is a value that its type allows, a value of some column (a handle, an id, a name, a day), or a junk value
 * of any type. The column is most often one that the parameter's name or description mentions. So many calls pass
 * validation and reach existing rows, and others are wrong in every way.
 */
import fc from "fast-check";
import { type JsonSchema, toJsonSchema } from "../../src/world/api/types.ts";
import type { Api, App, Cell, Reader } from "../../src/world/index.ts";

export type ApiArguments = Readonly<Record<string, unknown>>;

interface ColumnValues {
  readonly app: string;
  readonly name: string;
  readonly values: readonly (string | number)[];
}

/**
 * A placeholder for an argument or result of an earlier call in the sequence. `CallMemory` replaces it by the value.
 */
class RecentValue {
  readonly type: string;
  readonly age: number;

  constructor(type: string, age: number) {
    this.type = type;
    this.age = age;
  }
}

/** Remembers arguments and results of earlier calls, so that later calls can use rows that earlier calls made. */
export class CallMemory {
  readonly #values: unknown[] = [];

  /** Returns the arguments with every `RecentValue` replaced by a real value. */
  replaceRecentValues(args: ApiArguments): ApiArguments {
    return Object.fromEntries(
      Object.entries(args).map(([key, value]) => [key, this.#replaceRecent(value)]),
    );
  }

  remember(values: unknown): void {
    const found = typeof values === "object" && values !== null ? Object.values(values) : [];
    this.#values.push(...found.filter((v) => ["string", "number"].includes(typeof v)));
  }

  #replaceRecent(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#replaceRecent(item));
    if (!(value instanceof RecentValue)) return value;
    const fitting = this.#values.filter((known) => typeof known === value.type);
    return fitting.at(-1 - value.age) ?? null;
  }
}

/** The most different values that are kept of one column. */
const MAX_VALUES_PER_COLUMN = 60;

/** Generates arguments of APIs. It knows the values of all columns of the world's tables. */
export class ArgumentGenerator {
  readonly #columns: readonly ColumnValues[];
  readonly #db: Reader;

  constructor(apps: readonly App[], db: Reader) {
    this.#db = db;
    this.#columns = apps.flatMap((app) =>
      app.tables.flatMap((table) => {
        const rows = db.all(table);
        const names = Object.keys(rows[0] ?? {});
        return names.map((name) => ({
          app: app.name,
          name,
          values: distinctValues(rows.map((row) => row[name]!)),
        }));
      }),
    );
  }

  /** Returns a generator of one API's arguments, in which `CallMemory` still has to replace recent values. */
  argumentsOf(app: string, api: Api): fc.Arbitrary<ApiArguments> {
    const { properties = {}, required = [] } = toJsonSchema(api.params, "input");
    const example = readExampleArguments(api, this.#db);
    const entries = Object.entries(properties).map(([name, schema]) => [
      name,
      this.#valuesOfParameter(app, name, schema, example?.[name]),
    ]);
    const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(entries);
    const valid = fc.record(model, { requiredKeys: [...required] });
    const incomplete = fc.record({ ...model, unheardOf: junkValues }, { requiredKeys: [] });
    const alternatives = [
      { weight: 30, arbitrary: valid },
      { weight: 1, arbitrary: incomplete },
    ];
    return fc.oneof(
      ...alternatives,
      ...(example ? [{ weight: 5, arbitrary: fc.constant(example) }] : []),
    );
  }

  #valuesOfParameter(app: string, name: string, schema: JsonSchema, example: unknown) {
    const columnValues = this.#valuesFromColumns(app, name, schema, example);
    return fc.oneof(
      { weight: 14, arbitrary: columnValues ?? valuesOfSchema(schema) },
      { weight: 5, arbitrary: valuesOfSchema(schema) },
      { weight: 1, arbitrary: junkValues },
    );
  }

  /** Returns a generator of column values for a string, a number, or a list of these; undefined for other types. */
  #valuesFromColumns(
    app: string,
    name: string,
    schema: JsonSchema,
    example: unknown,
  ): fc.Arbitrary<unknown> | undefined {
    if (schema.type === "array" && schema.items) {
      const first = Array.isArray(example) ? example[0] : undefined;
      const item = this.#valuesFromColumns(app, name, schema.items, first);
      return item && fc.array(item, { maxLength: 4 });
    }
    const type = schema.type === "integer" ? "number" : schema.type;
    if (schema.enum || (type !== "string" && type !== "number")) return undefined;
    const fitting = this.#columns.filter(({ values }) => typeof values[0] === type);
    const mentioned = new Set([name, ...(schema.description?.match(/\w+/g) ?? [])]);
    const namedColumns = fitting.filter(
      (column) => mentioned.has(column.name) || column.values.some((value) => value === example),
    );
    const nameColumns = fitting.filter((column) =>
      ["handle", "name", "title"].includes(column.name),
    );
    const own = fitting.filter((column) => column.app === app);
    const groups = [
      { weight: 5, columns: namedColumns },
      { weight: 2, columns: nameColumns },
      { weight: 1, columns: own },
    ].filter(({ columns }) => columns.length > 0);
    if (groups.length === 0) return undefined;
    return fc.oneof(
      ...groups.map(({ weight, columns }) => ({
        weight,
        arbitrary: fc.oneof(...columns.map(({ values }) => fc.constantFrom(...values))),
      })),
      { weight: 2, arbitrary: fc.nat({ max: 5 }).map((back) => new RecentValue(type, back)) },
    );
  }
}

/** Returns the arguments of the API's example, or undefined when it has none for this state. */
function readExampleArguments(api: Api, db: Reader): ApiArguments | undefined {
  try {
    return api.example?.(db) as ApiArguments | undefined;
  } catch {
    return undefined;
  }
}

function distinctValues(cells: readonly Cell[]): (string | number)[] {
  const plain = cells.filter((cell) => typeof cell === "string" || typeof cell === "number");
  return [...new Set(plain)].slice(-MAX_VALUES_PER_COLUMN);
}

const trickyStrings = fc.constantFrom(
  ...[
    "",
    " ",
    "__proto__",
    "constructor",
    "toString",
    "null",
    "0",
    "\u0000",
    "\ud800",
    "ı",
    "%",
    "(",
    "\\",
  ],
  "x".repeat(5000),
);

const junkValues: fc.Arbitrary<unknown> = fc.oneof(
  trickyStrings,
  fc.constantFrom<unknown[]>(null, true, false, [], {}, [null], { id: 1 }),
  fc.constantFrom(0, -1, 0.001, 1e-9, 1e15, 2 ** 53, -(2 ** 31), 1e308),
  fc.string(),
);

/** Returns a generator of values that the schema allows, or of junk where the schema names no type. */
function valuesOfSchema(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOfSchema));
  switch (schema.type) {
    case "integer":
    case "number":
      return numbersOfSchema(schema);
    case "string":
      return stringsOfSchema(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array": {
      const { items = {}, minItems = 0, maxItems = 5 } = schema;
      return fc.array(valuesOfSchema(items), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, 5)),
      });
    }
    case "object": {
      const { properties = {}, required = [] } = schema;
      const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, valuesOfSchema(field)]),
      );
      return fc.record(model, { requiredKeys: [...required] });
    }
    default:
      return junkValues;
  }
}

/**
 * Returns a generator of numbers in the range of the schema. It generates small numbers more often, because rows have
 * small ids.
 */
function numbersOfSchema({
  type,
  minimum,
  exclusiveMinimum,
  maximum,
  exclusiveMaximum,
}: JsonSchema) {
  const low = Math.max(minimum ?? exclusiveMinimum ?? -1000, -1e9);
  const high = Math.max(low, Math.min(maximum ?? exclusiveMaximum ?? 1e9, 1e9));
  const integers = (top: number) =>
    fc.integer({ min: Math.ceil(low), max: Math.max(Math.ceil(low), Math.floor(top)) });
  const small = integers(Math.min(high, low + 100));
  if (type === "integer") return fc.oneof(small, integers(high));
  const cents = fc.integer({ min: Math.ceil(low * 100), max: Math.floor(high * 100) });
  return fc.oneof(
    small,
    cents.map((n) => n / 100),
    fc.double({ min: low, max: high, noNaN: true }),
  );
}

const twoDigits = (n: number) => String(n).padStart(2, "0");
const days = fc
  .tuple(fc.constantFrom(2025, 2026, 2026, 2026), fc.nat({ max: 11 }), fc.nat({ max: 30 }))
  .map(([year, month, day]) => `${year}-${twoDigits(month + 1)}-${twoDigits(day + 1)}`);
const times = fc
  .tuple(fc.nat({ max: 24 }), fc.nat({ max: 59 }))
  .map(([hour, minute]) => `${twoDigits(hour)}:${twoDigits(minute)}`);

function stringsOfSchema({ format, pattern, minLength = 0, maxLength = 40 }: JsonSchema) {
  if (format === "date") return days;
  if (format === "time") return times;
  if (format === "date-time")
    return fc.tuple(days, times).map(([day, time]) => `${day}T${time}:00Z`);
  if (format === "email") return fc.emailAddress();
  const own = pattern === undefined ? undefined : stringsMatching(pattern);
  const top = Math.max(minLength, Math.min(maxLength, 40));
  const plain = fc.string({ minLength, maxLength: top });
  return fc.oneof(
    { weight: 4, arbitrary: own ?? plain },
    { weight: 1, arbitrary: fc.string({ minLength, maxLength: top, unit: "binary" }) },
    { weight: 1, arbitrary: fc.oneof(days, times) },
    { weight: 1, arbitrary: trickyStrings },
  );
}

/** Returns a generator of strings that match a pattern, or undefined when fast-check cannot read the pattern. */
function stringsMatching(pattern: string): fc.Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern));
  } catch {
    return undefined;
  }
}
