/** Converts texts from a command line to the types of their fields, and lists the values of a tree with their paths. */
import {
  BowlineError,
  errorMessage,
  type FieldInfo,
  isPlainObject,
  toCamelCase,
} from "../../core/index.ts";

/**
 * Converts a text to the type of its field. A text that does not fit the type is returned unchanged, and the schema
 * rejects it.
 */
export function parseFieldValue(
  value: unknown,
  { path, expected, types, isGroup }: FieldInfo,
): unknown {
  if (value === true && !isGroup && !types.includes("boolean")) {
    throw new BowlineError("config", `${path}: expected ${expected}, got no value`);
  }
  if (typeof value !== "string") return value;
  if (isGroup) return parseGroup(value, path, expected);
  const isJson = types.includes("array") || types.includes("object");
  if (isJson && /^\s*[[{]/.test(value)) return parseFieldJson(value, path, expected);
  if (LIST_TYPES.some((type) => types.includes(type))) return parseList(value);
  if (types.includes("null") && ["null", "none"].includes(value)) return null;
  if (types.includes("boolean")) {
    if (WORDS_FOR_ON.includes(value)) return true;
    if (WORDS_FOR_OFF.includes(value)) return false;
  }
  const numeric = types.includes("number") || types.includes("integer");
  return numeric && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** The types of lists that a command line writes without JSON, such as `1,2` or `plan,mark`. */
const LIST_TYPES = ["strings", "integers", "numbers"];

function parseList(text: string): (string | number)[] {
  const items = text.split(",").map((item) => item.trim());
  return items.map((item) => (item !== "" && Number.isFinite(Number(item)) ? Number(item) : item));
}

const WORDS_FOR_ON = ["true", "on", "yes"];
const WORDS_FOR_OFF = ["false", "off", "no"];

function parseGroup(text: string, path: string, expected: string): unknown {
  if (WORDS_FOR_ON.includes(text)) return {};
  if ([...WORDS_FOR_OFF, "null", "none"].includes(text)) return null;
  return /^\s*{/.test(text) ? parseFieldJson(text, path, expected) : text;
}

function parseFieldJson(text: string, path: string, expected: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${path}: expected ${expected}, but this is not JSON (${errorMessage(cause)}): ${text}`;
    throw new BowlineError("config", message, { cause });
  }
}

/** Yields every value of a tree with its path. An object that is the value of a single field is yielded whole. */
export function* flattenTree(
  tree: Readonly<Record<string, unknown>>,
  fields: readonly FieldInfo[],
  prefix = "",
): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(tree)) {
    const path = `${prefix}${name}`;
    const known = fields.find((field) => field.path === toCamelCase(path));
    const isLeaf = known !== undefined && !known.isGroup;
    const isNested = isPlainObject(value) && Object.keys(value).length > 0;
    if (isNested && !isLeaf) yield* flattenTree(value, fields, `${path}.`);
    else yield [path, value];
  }
}
