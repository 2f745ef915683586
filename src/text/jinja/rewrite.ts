/**
 * Rewrites a parsed template so that @huggingface/jinja runs it as Python's Jinja does.
 *
 * Where the library's operation differs (printing, `+`, `~`, `==`, `strip`, `tojson`, attributes of what is undefined,
 * ...), or is missing (`select`, `reject`), the node becomes a call of a function of ours (see `builtins.ts`). A variable that a loop's body sets is
 * forgotten at the start of each round, because Jinja gives every round a scope of its own. And loops whose `break` or
 * `continue` the library would run otherwise are refused.
 */
import { parse, tokenize } from "@huggingface/jinja";

/** A node of the library's syntax tree. */
interface Node {
  type: string;
  [field: string]: unknown;
}

/** The prefix that no template's own names have. */
export const OURS = "__bowline_";

/** Methods of texts, and the function of ours with its leading arguments. */
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
/** Fields that hold what is printed, statement by statement. */
const BODIES = ["body", "alternate", "defaultBlock"];
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

/** The tree with its parts replaced; nodes are changed in place. */
export function rewritten<T>(tree: T): T {
  return visit(tree) as T;
}

function visit(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(visit);
  if (value instanceof Map) {
    return new Map([...value].map(([key, item]) => [visit(key), visit(item)]));
  }
  if (!isNode(value)) return value;
  for (const field of Object.keys(value)) value[field] = visit(value[field]);
  for (const field of BODIES) {
    const body = value[field];
    if (Array.isArray(body)) value[field] = body.map(printing);
  }
  return replacement(value);
}

function printing(statement: Node): Node {
  const isText = statement.type === "StringLiteral" || STATEMENTS.has(statement.type);
  return isText ? statement : call("string", [statement]);
}

function replacement(node: Node): Node {
  switch (node.type) {
    case "CallExpression":
      return methodCall(node);
    case "MemberExpression":
      node["object"] = call("defined", [node["object"] as Node]);
      return node;
    case "FilterExpression":
      return filter(node);
    case "BinaryExpression": {
      const name = OPERATORS[(node["operator"] as Node)["value"] as string];
      return name === undefined ? node : call(name, [node["left"] as Node, node["right"] as Node]);
    }
    case "For":
      iterateAsPython(node);
      return withFreshNames(node);
    default:
      return node;
  }
}

/** `text.strip(...)` */
function methodCall(node: Node): Node {
  const callee = node["callee"] as Node;
  if (callee.type !== "MemberExpression" || callee["computed"]) return node;
  const args = node["args"] as Node[];
  return ours(METHODS, callee["property"] as Node, callee["object"] as Node, args) ?? node;
}

/** `text | trim` */
function filter(node: Node): Node {
  const applied = node["filter"] as Node;
  const name = applied.type === "Identifier" ? applied : (applied["callee"] as Node);
  const args = (applied["args"] ?? []) as Node[];
  return ours(FILTERS, name, node["operand"] as Node, args) ?? node;
}

function ours(
  table: typeof METHODS,
  name: Node,
  operand: Node,
  args: readonly Node[],
): Node | undefined {
  const key = name["value"] as string;
  if (!Object.hasOwn(table, key)) return undefined;
  const [builtin = "", ...fixed] = table[key] ?? [];
  return call(builtin, [operand, ...fixed.map(text), ...args]);
}

/** What is iterated over stands beside the condition, if there is one: `for x in xs if x`. */
function iterateAsPython(node: Node): void {
  const iterable = node["iterable"] as Node;
  const [holder, field] =
    iterable.type === "SelectExpression" ? [iterable, "lhs"] : [node, "iterable"];
  holder[field] = call("iterable", [holder[field] as Node]);
}

function withFreshNames(node: Node): Node {
  refuseLostOutput(node);
  const loopNames = new Set(targets(node["loopvar"] as Node));
  const set = new Set((node["body"] as Node[]).flatMap(namesSet));
  const fresh = [...set].filter((name) => !loopNames.has(name)).map(text);
  if (fresh.length > 0) node["body"] = [call("forget", fresh), ...(node["body"] as Node[])];
  return node;
}

/**
 * The library throws away what a round printed before its `break` or `continue`, and takes such a round for none when
 * it looks for `else`.
 */
function refuseLostOutput(node: Node): void {
  const ends = (statement: Node): boolean =>
    ["Break", "Continue"].includes(statement.type) ||
    (statement.type === "If" && [...body(statement), ...alternate(statement)].some(ends));
  const loses = (statements: readonly Node[], before: boolean): boolean => {
    let prints = before;
    for (const statement of statements) {
      if (prints && ends(statement)) return true;
      if (statement.type === "If") {
        if (loses(body(statement), prints) || loses(alternate(statement), prints)) return true;
      }
      prints ||= !isEmpty(statement);
    }
    return false;
  };
  const elseBlock = node["defaultBlock"] as readonly Node[];
  if (loses(body(node), false) || (elseBlock.length > 0 && body(node).some(ends))) {
    throw new Error("a loop that prints before its break or continue is not supported");
  }
}

const body = (node: Node) => node["body"] as readonly Node[];
const alternate = (node: Node) => node["alternate"] as readonly Node[];

/** Of a branch: whether it prints nothing, whichever way it goes. */
function isEmpty(statement: Node): boolean {
  if (["Set", "Macro", "Comment", "Break", "Continue"].includes(statement.type)) return true;
  if (statement.type === "StringLiteral") return statement["value"] === "";
  if (statement.type !== "If") return false;
  return [...body(statement), ...alternate(statement)].every(isEmpty);
}

/** Names that a statement sets in the scope that it stands in; loops and macros have scopes of their own. */
function namesSet(statement: Node): string[] {
  if (statement.type === "Set") return targets(statement["assignee"] as Node);
  if (statement.type !== "If") return [];
  return [...(statement["body"] as Node[]), ...(statement["alternate"] as Node[])].flatMap(
    namesSet,
  );
}

function targets(target: Node): string[] {
  if (target.type === "Identifier") return [target["value"] as string];
  return target.type === "TupleLiteral" ? (target["value"] as Node[]).flatMap(targets) : [];
}

/** Nodes are made by the library's parser, which some of its passes want to have made them. */
function call(name: string, args: readonly Node[]): Node {
  const node = expression(`${OURS}${name}()`);
  node["args"] = args;
  return node;
}

function text(value: string): Node {
  const node = expression("''");
  node["value"] = value;
  return node;
}

function expression(source: string): Node {
  const program: unknown = parse(tokenize(`{{ ${source} }}`));
  return (program as { readonly body: readonly Node[] }).body[0]!;
}
