/**
 * From a recipe and overrides to a whole Config: defaults < recipe < overrides.
 *
 * Overrides come from a command line or a file, so names may be in kebab-case and values may be strings. What is wrong
 * is found here, before any work starts, with the field, what was expected, what came, and the nearest name.
 */
import { z } from "zod";
import { BowlineError, messageOf, nearest } from "../core/index.ts";
import { type Config, configSchema } from "./config.ts";
import { budgetConflict } from "./config-budget.ts";
import { methodConflict, unreadField } from "./config-rules.ts";
import { loraConflict } from "./lora.ts";
import { isChangeable, withFields } from "./mechanisms/stages.ts";
import { recipes } from "./recipes/index.ts";
import { remoteConflict, unservedField } from "./remote-engine.ts";

/** A leaf of the configuration, for help texts and forms. */
export interface ConfigField {
  /** `algo.groupSize` */
  readonly path: string;
  readonly description: string;
  /** In words: "an integer from 2 to 1024". */
  readonly expected: string;
  readonly default: unknown;
}

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Said of a list or a course, which no bounds describe. */
  readonly expected?: string;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly description?: string;
  readonly default?: unknown;
}

const tree = z.toJSONSchema(configSchema, { io: "input" }) as JsonSchema;
const fields = new Map(listFields(tree, "").map((field) => [field.path, field]));
const schemas = new Map(listSchemas(tree, ""));

/** Every field that a recipe, a file or a flag may set, in the order of the tree. */
export function configFields(): readonly ConfigField[] {
  return [...fields.values()];
}

/**
 * `overrides` maps "algo.groupSize" or "algo.group-size" to a value or its text; nested objects do as well.
 * Throws a `config` error that names the first wrong field.
 */
export function resolveConfig(
  input: { readonly recipe?: string; readonly overrides?: Readonly<Record<string, unknown>> } = {},
): Config {
  const name = input.recipe ?? "starter";
  const recipe = Object.hasOwn(recipes, name) ? recipes[name] : undefined;
  if (recipe === undefined) {
    throw new BowlineError(
      "config",
      `unknown recipe ${JSON.stringify(name)}${hint(name, Object.keys(recipes))}; recipes: ${Object.keys(recipes).join(", ")}`,
    );
  }
  const raw: Tree = structuredClone(recipe.config) as never;
  const paths: string[] = [];
  for (const [path, value] of flatten(input.overrides ?? {}, "")) {
    const field = fieldNamed(path);
    assign(raw, field.path.split("."), coerce(value, field));
    paths.push(field.path);
  }
  nameStages(raw);
  const config = checked({ ...raw, recipe: name });
  refuseShapeOfModel(config, paths);
  const unserved = unservedField(config, paths);
  if (unserved !== undefined) throw new BowlineError("config", unserved);
  return config;
}

/** A recipe's shape gives way to that of `engine.model`; a shape that was asked for by name is a contradiction. */
function refuseShapeOfModel({ engine }: Config, paths: readonly string[]): void {
  const asked = paths.find((path) => /^(model|tokenizer)\./.test(path));
  if (engine.model === null || asked === undefined || asked === "model.contextLength") return;
  throw new BowlineError(
    "config",
    `${asked} cannot be set beside engine.model: shape and tokenizer are those of ${engine.model}`,
  );
}

interface Tree {
  [name: string]: unknown;
}

function assign(tree: Tree, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) tree[name] = value;
  else {
    tree[name] ??= {};
    assign(tree[name] as Tree, rest, value);
  }
}

/** Fields of stages under their whole names, values as on the command line. What is no stage is left to the schema. */
function nameStages({ schedule }: Tree): void {
  const { stages } = (schedule ?? {}) as { stages?: unknown };
  if (!Array.isArray(stages)) return;
  for (const stage of stages) {
    if (typeof stage?.patch !== "object" || stage.patch === null) continue;
    const named = [...flatten(stage.patch, "")].map(([path, value]) => {
      const field = fieldNamed(path);
      return [field.path, coerce(value, field)];
    });
    stage.patch = Object.fromEntries(named);
  }
}

/** Parses a stored configuration, such as that of `run.json`. */
export function parseConfig(value: unknown): Config {
  return checked(value);
}

function checked(value: unknown): Config {
  const result = configSchema.safeParse(value);
  if (!result.success) throw new BowlineError("config", explain(result.error.issues[0]!, value));
  const conflict =
    conflictIn(result.data) ??
    methodConflict(result.data) ??
    loraConflict(result.data) ??
    budgetConflict(result.data) ??
    remoteConflict(result.data) ??
    unreadField(result.data, configSchema.parse({}));
  if (conflict !== undefined) throw new BowlineError("config", conflict);
  for (const [i, stage] of result.data.schedule.stages.entries()) {
    checkStage(result.data, stage.patch, `schedule.stages.${i}.patch`);
  }
  return result.data;
}

/** A stage is a whole configuration, and none of its fields may be idle either. */
function checkStage(config: Config, patch: Readonly<Record<string, unknown>>, at: string): void {
  const fixed = Object.keys(patch).find((path) => !isChangeable(path));
  if (fixed !== undefined) {
    throw new BowlineError("config", `${at}: ${fixed} is the same in the whole run`);
  }
  try {
    checked(withFields(config, patch));
  } catch (cause) {
    throw new BowlineError("config", `${at}: ${messageOf(cause)}`, { cause });
  }
}

function explain(issue: z.core.$ZodIssue, value: unknown): string {
  const path = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    return `unknown field ${[...issue.path, issue.keys[0]].join(".")}${hint(issue.keys[0] ?? "", leafNames())}`;
  }
  const field = fields.get(path);
  const expected =
    field?.expected ??
    issue.message.replace(/^(?:Invalid (?:input|option)|Too (?:small|big)): expected /, "");
  const came = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
  return `${path}: expected ${expected}, came ${JSON.stringify(came) ?? "nothing"}`;
}

/** What no single field can tell; undefined when all is well. */
function conflictIn({ model, scaffold, algo, warm }: Config): string | undefined {
  if (model.heads % model.kvHeads !== 0) {
    return `model.kvHeads: expected a divisor of model.heads (${model.heads}), came ${model.kvHeads}`;
  }
  if (model.headSize % 2 !== 0)
    return `model.headSize: expected an even number, came ${model.headSize}`;
  if (scaffold.maxTokens > model.contextLength) {
    return `scaffold.maxTokens: expected at most model.contextLength (${model.contextLength}), came ${scaffold.maxTokens}`;
  }
  if (algo.stragglers && Math.round(algo.groupSize * algo.stragglerGroupShare) < 2) {
    return `algo.stragglerGroupShare: expected a share that keeps two rollouts of algo.groupSize (${algo.groupSize}), came ${algo.stragglerGroupShare}`;
  }
  if (warm.demonstrations > 0 && warm.demonstrations < warm.rows) {
    return `warm.demonstrations: expected 0 or at least warm.rows (${warm.rows}), came ${warm.demonstrations}`;
  }
  return undefined;
}

function camelCase(path: string): string {
  return path.replace(/-+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function fieldNamed(path: string): ConfigField {
  const camel = camelCase(path);
  const field = fields.get(camel);
  if (field !== undefined) return field;
  const section = camel.split(".")[0] ?? "";
  const inSection = [...fields.keys()].filter((key) => key.startsWith(`${section}.`));
  const leaf = camel.split(".").at(-1) ?? "";
  const elsewhere = [...fields.keys()].find((key) => key.endsWith(`.${leaf}`));
  const near = elsewhere ?? nearest(camel, fields.keys());
  const known =
    inSection.length > 0
      ? `${section} has ${inSection.map((key) => key.slice(section.length + 1)).join(", ")}`
      : `sections: ${sections().join(", ")}`;
  throw new BowlineError(
    "config",
    `unknown field ${path}${near ? ` (did you mean ${near}?)` : ""}; ${known}`,
  );
}

/** Text from a command line to the type that the field has; anything else stays as it came. */
function coerce(value: unknown, { path, expected }: ConfigField): unknown {
  if (typeof value !== "string") return value;
  const schema = schemas.get(path)!;
  const types = typesOf(schema);
  const isJson = types.includes("array") || types.includes("object");
  if (isJson && /^\s*[[{]/.test(value)) return fromJson(value, path, expected);
  if (types.includes("null") && ["null", "none"].includes(value)) return null;
  if (types.includes("boolean")) {
    if (["true", "on", "yes"].includes(value)) return true;
    if (["false", "off", "no"].includes(value)) return false;
  }
  const numeric = types.includes("number") || types.includes("integer");
  return numeric && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}

function typesOf({ type, anyOf }: JsonSchema): (string | undefined)[] {
  return anyOf === undefined ? [type] : anyOf.flatMap(typesOf);
}

function fromJson(text: string, path: string, expected: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${path}: expected ${expected}; this is no JSON (${messageOf(cause)}): ${text}`;
    throw new BowlineError("config", message, { cause });
  }
}

/** Leaves by their paths; the value of a field is a leaf, also where it is an object. */
function* flatten(
  tree: Readonly<Record<string, unknown>>,
  prefix: string,
): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(tree)) {
    const nested = typeof value === "object" && value !== null && !Array.isArray(value);
    if (nested && !fields.has(camelCase(`${prefix}${name}`))) {
      yield* flatten(value as Record<string, unknown>, `${prefix}${name}.`);
    } else yield [`${prefix}${name}`, value];
  }
}

function listSchemas(schema: JsonSchema, prefix: string): [string, JsonSchema][] {
  return Object.entries(schema.properties ?? {}).flatMap(
    ([name, child]): [string, JsonSchema][] => {
      if (child.properties !== undefined) return listSchemas(child, `${prefix}${name}.`);
      return prefix === "" ? [] : [[`${prefix}${name}`, child]];
    },
  );
}

function listFields(schema: JsonSchema, prefix: string): ConfigField[] {
  return listSchemas(schema, prefix).map(([path, leaf]) => ({
    path,
    description: leaf.description ?? "",
    expected: inWords(leaf),
    default: leaf.default,
  }));
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

function hint(word: string, candidates: Iterable<string>): string {
  const near = nearest(word, candidates);
  return near === undefined ? "" : ` (did you mean ${near}?)`;
}

const leafNames = () => [...fields.keys()].map((path) => path.split(".").at(-1) ?? path);
const sections = () => [...new Set([...fields.keys()].map((path) => path.split(".")[0] ?? path))];
