/** Values as text, from a command line, to the type that their field has; trees of them to paths. */
import {
  BowlineError,
  errorMessage,
  type FieldInfo,
  isPlainObject,
  toCamelCase,
} from "../../core/index.ts";

/** Anything that does not read as the field's type stays as it came, and is refused with the field. */
export function coerced(value: unknown, { path, expected, types, isGroup }: FieldInfo): unknown {
  if (value === true && !isGroup && !types.includes("boolean")) {
    throw new BowlineError("config", `${path}: expected ${expected}, got no value`);
  }
  if (typeof value !== "string") return value;
  if (isGroup) return groupValue(value, path, expected);
  const isJson = types.includes("array") || types.includes("object");
  if (isJson && /^\s*[[{]/.test(value)) return fromJson(value, path, expected);
  if (LISTS.some((type) => types.includes(type))) return listOf(value);
  if (types.includes("null") && ["null", "none"].includes(value)) return null;
  if (types.includes("boolean")) {
    if (ON.includes(value)) return true;
    if (OFF.includes(value)) return false;
  }
  const numeric = types.includes("number") || types.includes("integer");
  return numeric && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Lists that need no JSON: `1,2`, `plan,mark`. */
const LISTS = ["strings", "integers", "numbers"];

function listOf(text: string): (string | number)[] {
  const items = text.split(",").map((item) => item.trim());
  return items.map((item) => (item !== "" && Number.isFinite(Number(item)) ? Number(item) : item));
}

const ON = ["true", "on", "yes"];
const OFF = ["false", "off", "no"];

function groupValue(text: string, path: string, expected: string): unknown {
  if (ON.includes(text)) return {};
  if ([...OFF, "null", "none"].includes(text)) return null;
  return /^\s*{/.test(text) ? fromJson(text, path, expected) : text;
}

function fromJson(text: string, path: string, expected: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${path}: expected ${expected}; this is no JSON (${errorMessage(cause)}): ${text}`;
    throw new BowlineError("config", message, { cause });
  }
}

/** Leaves by their paths. The value of a field is a leaf, also where it is an object. */
export function* flattened(
  tree: Readonly<Record<string, unknown>>,
  fields: readonly FieldInfo[],
  prefix = "",
): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(tree)) {
    const path = `${prefix}${name}`;
    const known = fields.find((field) => field.path === toCamelCase(path));
    const isLeaf = known !== undefined && !known.isGroup;
    const isNested = isPlainObject(value) && Object.keys(value).length > 0;
    if (isNested && !isLeaf) yield* flattened(value, fields, `${path}.`);
    else yield [path, value];
  }
}
