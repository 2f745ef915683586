/**
 * Rewrites a parsed template so that @huggingface/jinja runs it like Python's Jinja.
 *
 * Where an operation of the library differs (printing, `+`, `~`, `==`, `strip`, `tojson`, attributes of undefined
 * values) or is missing (`select`, `reject`), the node is replaced by a call of our function (see `builtins.ts`). A
 * variable that is set in the body of a loop is deleted at the start of each round, because Jinja has a new scope for
 * every round. A loop whose `break` or `continue` would behave differently is rejected.
 */
import { parse, tokenize } from "@huggingface/jinja";

/** A node of the library's syntax tree. */
interface Node {
  type: string;
  [field: string]: unknown;
}

/** The prefix of our functions. No template uses it for its own names. */
export const BUILTIN_PREFIX = "__bowline_";

/** Methods of texts, each with the name of our function and its first arguments. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  strip: ["method", "strip", "strip"],
  lstrip: ["method", "strip", "lstrip"],
  rstrip: ["method", "strip", "rstrip"],
  capitalize: ["method", "capitalize"],
};
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  trim: ["strip", "strip"],
  capitalize: ["capitalize"],
  tojson: ["json"],
  string: ["string"],
  length: ["length"],
  count: ["length"],
  select: ["select", "select"],
  reject: ["select", "reject"],
};
const OPERATORS: Readonly<Record<string, string>> = {
  "+": "add",
  "~": "concatenate",
  "==": "equal",
  "!=": "unequal",
};
/** Fields of a node that contain statements, whose values are printed. */
const BODY_FIELDS = ["body", "alternate", "defaultBlock"];
const STATEMENTS = new Set([
  "If",
  "For",
  "Break",
  "Continue",
  "Set",
  "Macro",
  "Comment",
  "CallStatement",
  "FilterStatement",
]);

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** Rewrites a syntax tree and returns it. Nodes are changed in place. */
export function rewriteTemplate<T>(tree: T): T {
  return rewriteNode(tree) as T;
}

function rewriteNode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewriteNode);
  if (value instanceof Map) {
    return new Map([...value].map(([key, item]) => [rewriteNode(key), rewriteNode(item)]));
  }
  if (!isNode(value)) return value;
  for (const field of Object.keys(value)) value[field] = rewriteNode(value[field]);
  for (const field of BODY_FIELDS) {
    const body = value[field];
    if (Array.isArray(body)) value[field] = body.map(wrapPrintedValue);
  }
  return replaceNode(value);
}

function wrapPrintedValue(statement: Node): Node {
  const isText = statement.type === "StringLiteral" || STATEMENTS.has(statement.type);
  return isText ? statement : createCall("string", [statement]);
}

function replaceNode(node: Node): Node {
  switch (node.type) {
    case "CallExpression":
      return replaceMethodCall(node);
    case "MemberExpression":
      node["object"] = createCall("defined", [node["object"] as Node]);
      return node;
    case "FilterExpression":
      return replaceFilter(node);
    case "BinaryExpression": {
      const name = OPERATORS[(node["operator"] as Node)["value"] as string];
      return name === undefined
        ? node
        : createCall(name, [node["left"] as Node, node["right"] as Node]);
    }
    case "For":
      iterateLikePython(node);
      return deleteVariablesEachRound(node);
    default:
      return node;
  }
}

/** Replaces a method call such as `text.strip()` by a call of our function. */
function replaceMethodCall(node: Node): Node {
  const callee = node["callee"] as Node;
  if (callee.type !== "MemberExpression" || callee["computed"]) return node;
  const args = node["args"] as Node[];
  return callBuiltin(METHODS, callee["property"] as Node, callee["object"] as Node, args) ?? node;
}

/** Replaces a filter such as `text | trim` by a call of our function. */
function replaceFilter(node: Node): Node {
  const applied = node["filter"] as Node;
  const name = applied.type === "Identifier" ? applied : (applied["callee"] as Node);
  const args = (applied["args"] ?? []) as Node[];
  return callBuiltin(FILTERS, name, node["operand"] as Node, args) ?? node;
}

function callBuiltin(
  table: typeof METHODS,
  name: Node,
  operand: Node,
  args: readonly Node[],
): Node | undefined {
  const key = name["value"] as string;
  if (!Object.hasOwn(table, key)) return undefined;
  const [builtin = "", ...fixed] = table[key] ?? [];
  return createCall(builtin, [operand, ...fixed.map(createText), ...args]);
}

/** Makes a loop iterate over texts and undefined values as Python does, also in `for x in xs if x`. */
function iterateLikePython(node: Node): void {
  const iterable = node["iterable"] as Node;
  const [holder, field] =
    iterable.type === "SelectExpression" ? [iterable, "lhs"] : [node, "iterable"];
  holder[field] = createCall("iterable", [holder[field] as Node]);
}

function deleteVariablesEachRound(node: Node): Node {
  rejectLostOutput(node);
  const loopNames = new Set(listTargetNames(node["loopvar"] as Node));
  const set = new Set((node["body"] as Node[]).flatMap(listAssignedNames));
  const fresh = [...set].filter((name) => !loopNames.has(name)).map(createText);
  if (fresh.length > 0) node["body"] = [createCall("forget", fresh), ...(node["body"] as Node[])];
  return node;
}

/**
 * Rejects loops that the library runs differently. It loses the text that a round printed before its `break` or
 * `continue`, and it does not count such a round when it decides about `else`.
 */
function rejectLostOutput(node: Node): void {
  const endsRound = (statement: Node): boolean =>
    ["Break", "Continue"].includes(statement.type) ||
    (statement.type === "If" &&
      [...getBody(statement), ...getAlternate(statement)].some(endsRound));
  const losesOutput = (statements: readonly Node[], before: boolean): boolean => {
    let prints = before;
    for (const statement of statements) {
      if (prints && endsRound(statement)) return true;
      if (statement.type === "If") {
        if (losesOutput(getBody(statement), prints) || losesOutput(getAlternate(statement), prints))
          return true;
      }
      prints ||= !printsNothing(statement);
    }
    return false;
  };
  const elseBlock = node["defaultBlock"] as readonly Node[];
  if (
    losesOutput(getBody(node), false) ||
    (elseBlock.length > 0 && getBody(node).some(endsRound))
  ) {
    throw new Error("a loop that prints before its break or continue is not supported");
  }
}

const getBody = (node: Node) => node["body"] as readonly Node[];
const getAlternate = (node: Node) => node["alternate"] as readonly Node[];

/** Tells whether a statement never prints anything. */
function printsNothing(statement: Node): boolean {
  if (["Set", "Macro", "Comment", "Break", "Continue"].includes(statement.type)) return true;
  if (statement.type === "StringLiteral") return statement["value"] === "";
  if (statement.type !== "If") return false;
  return [...getBody(statement), ...getAlternate(statement)].every(printsNothing);
}

/** Returns the names that a statement sets in its own scope. Loops and macros have other scopes. */
function listAssignedNames(statement: Node): string[] {
  if (statement.type === "Set") return listTargetNames(statement["assignee"] as Node);
  if (statement.type !== "If") return [];
  return [...(statement["body"] as Node[]), ...(statement["alternate"] as Node[])].flatMap(
    listAssignedNames,
  );
}

function listTargetNames(target: Node): string[] {
  if (target.type === "Identifier") return [target["value"] as string];
  return target.type === "TupleLiteral" ? (target["value"] as Node[]).flatMap(listTargetNames) : [];
}

/** Creates a call node. The library's parser creates it, because some of the library's passes require that. */
function createCall(name: string, args: readonly Node[]): Node {
  const node = parseExpression(`${BUILTIN_PREFIX}${name}()`);
  node["args"] = args;
  return node;
}

function createText(value: string): Node {
  const node = parseExpression("''");
  node["value"] = value;
  return node;
}

function parseExpression(source: string): Node {
  const program: unknown = parse(tokenize(`{{ ${source} }}`));
  return (program as { readonly body: readonly Node[] }).body[0]!;
}
