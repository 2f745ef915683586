/** Reads the operations of an OpenAPI document (3.0, 3.1) as APIs. */
import { BowlineError, formatValue } from "../../../core/index.ts";
import type { JsonSchema } from "../../api/index.ts";
import type { ForeignApi } from "../define.ts";
import { toIdentifier } from "../identifiers.ts";

const METHODS = ["get", "put", "post", "delete", "patch", "head", "options"] as const;
/** How deep references are followed. Types that contain themselves end there as any value. */
const MAX_DEPTH = 4;
/** The argument of a body that is no object. */
const WHOLE_BODY = "body";

/** An operation, and where each of its arguments goes. */
export interface HttpOperation {
  readonly method: string;
  /** The path with its parameters in braces. */
  readonly path: string;
  readonly places: ReadonlyMap<string, "path" | "query" | "body" | "whole-body">;
  readonly api: ForeignApi;
}

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the operations by the names that agents call them by. Throws a `world` error for a document that is none. */
export function readOperations(document: unknown): ReadonlyMap<string, HttpOperation> {
  if (!isJson(document) || !isJson(document["paths"])) {
    throw new BowlineError(
      "world",
      `expected an OpenAPI document with paths, got ${formatValue(document)}`,
    );
  }
  const found = new Map<string, HttpOperation>();
  for (const [path, item] of Object.entries(document["paths"])) {
    if (!isJson(item)) continue;
    for (const method of METHODS) {
      const operation = item[method];
      if (!isJson(operation)) continue;
      const id = operation["operationId"];
      const name = toIdentifier(typeof id === "string" ? id : `${method} ${path}`);
      const other = found.get(name);
      if (other) {
        throw new BowlineError(
          "world",
          `${method} ${path} and ${other.method} ${other.path} would both be called ${name}; leave one out with operations: [...]`,
        );
      }
      found.set(name, readOperation(document, { method, path, item, operation }));
    }
  }
  return found;
}

interface FoundOperation {
  readonly method: string;
  readonly path: string;
  readonly item: Json;
  readonly operation: Json;
}

function readOperation(
  root: Json,
  { method, path, item, operation }: FoundOperation,
): HttpOperation {
  const places = new Map<string, "path" | "query" | "body" | "whole-body">();
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  const add = (
    name: string,
    place: "path" | "query" | "body" | "whole-body",
    schema: unknown,
    needed: boolean,
  ) => {
    if (places.has(name))
      throw new BowlineError("world", `${method} ${path}: two arguments are called ${name}`);
    places.set(name, place);
    properties[name] = resolveReferences(schema ?? {}, root);
    if (needed) required.push(name);
  };
  const parameters = [item["parameters"], operation["parameters"]].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  for (const parameter of parameters
    .map((one) => resolveReferences(one, root, MAX_DEPTH - 1))
    .filter(isJson)) {
    const { name, in: place, schema, description } = parameter;
    if (typeof name !== "string" || (place !== "path" && place !== "query")) continue;
    const described =
      isJson(schema) && description !== undefined ? { description, ...schema } : schema;
    add(name, place, described, place === "path" || parameter["required"] === true);
  }
  addBody(root, operation, add);
  const summary = [
    operation["summary"],
    operation["description"],
    `${method.toUpperCase()} ${path}`,
  ].find((text) => typeof text === "string" && text !== "") as string;
  const returns = findReturns(root, operation);
  const params = {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
  } as JsonSchema;
  return {
    ...{ method: method.toUpperCase(), path, places },
    api: {
      summary: summary.replace(/\s+/g, " ").trim(),
      params,
      ...(returns && { returns }),
      readOnly: method === "get" || method === "head" || method === "options",
    },
  };
}

function addBody(
  root: Json,
  operation: Json,
  add: (name: string, place: "body" | "whole-body", schema: unknown, needed: boolean) => void,
): void {
  const body = resolveReferences(operation["requestBody"], root);
  const schema = findJsonSchema(body);
  if (!isJson(body) || !isJson(schema)) return;
  if (!isJson(schema["properties"])) {
    add(WHOLE_BODY, "whole-body", schema, body["required"] === true);
    return;
  }
  const needed = Array.isArray(schema["required"]) ? schema["required"] : [];
  for (const [name, property] of Object.entries(schema["properties"])) {
    add(name, "body", property, needed.includes(name));
  }
}

/** Returns the schema of a JSON body or answer. */
function findJsonSchema(holder: unknown): unknown {
  const content = isJson(holder) ? holder["content"] : undefined;
  if (!isJson(content)) return undefined;
  const [, media] = Object.entries(content).find(([type]) => /json/.test(type)) ?? [];
  return isJson(media) ? media["schema"] : undefined;
}

function findReturns(root: Json, operation: Json): JsonSchema | undefined {
  const responses = isJson(operation["responses"]) ? operation["responses"] : {};
  const success = Object.keys(responses).find((status) => /^2/.test(status));
  if (success === undefined) return undefined;
  return findJsonSchema(resolveReferences(responses[success], root)) as JsonSchema | undefined;
}

/** Replaces references into the document by what they name. */
function resolveReferences(value: unknown, root: Json, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((one) => resolveReferences(one, root, depth));
  if (!isJson(value)) return value;
  const { $ref, ...rest } = value;
  if (typeof $ref === "string") {
    if (depth >= MAX_DEPTH) return rest;
    return { ...Object(resolveReferences(findTarget(root, $ref), root, depth + 1)), ...rest };
  }
  return Object.fromEntries(
    Object.entries(rest).map(([name, inner]) => [name, resolveReferences(inner, root, depth)]),
  );
}

function findTarget(root: Json, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const name of reference.slice(2).split("/")) {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isJson(target) || !Object.hasOwn(target, key)) return undefined;
    target = target[key];
  }
  return target;
}
