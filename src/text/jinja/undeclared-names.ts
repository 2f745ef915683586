/**
 * Finds the variables that a template reads from its caller: names that are read where the template has not set them
 * itself. It follows the order of the statements, as `jinja2.meta.find_undeclared_variables` does. A name that is set
 * in only one branch of an `if` still counts as the caller's after it.
 */

/** A node of the library's syntax tree. */
interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

type Names = Set<string>;

/** Returns the names of a parsed template that has not been rewritten yet. */
export function findUndeclaredNames(program: { readonly body: unknown }): ReadonlySet<string> {
  const found: Names = new Set();
  visitAll(program.body, new Set(), found);
  return found;
}

/** Visits nodes in order. `declared` grows by the names that they set in this scope. */
function visitAll(nodes: unknown, declared: Names, found: Names): void {
  if (nodes instanceof Map) {
    for (const entry of nodes) visitAll(entry, declared, found);
  } else if (Array.isArray(nodes)) {
    for (const node of nodes) visitAll(node, declared, found);
  } else if (isNode(nodes)) visitNode(nodes, declared, found);
}

function visitNode(node: Node, declared: Names, found: Names): void {
  const visit = (...parts: readonly unknown[]) => visitAll(parts, declared, found);
  const visitScope = (body: unknown, names: readonly string[]) =>
    visitAll(body, new Set([...declared, ...names]), found);
  const declare = (target: unknown) => {
    for (const name of listTargets(target)) declared.add(name);
  };
  switch (node.type) {
    case "Identifier":
      if (!declared.has(node["value"] as string)) found.add(node["value"] as string);
      break;
    case "Set":
      visit(node["value"]);
      visitScope(node["body"], []);
      declare(node["assignee"]);
      break;
    case "If":
      visitBranches(node, declared, found);
      break;
    case "For":
      visitLoop(node, declared, found);
      break;
    case "Macro":
      visit(...listDefaults(node["args"]));
      visitScope(node["body"], listTargets(node["args"]));
      declare(node["name"]);
      break;
    case "CallStatement":
      visit(node["call"]);
      visitScope(node["body"], listTargets(node["callerArgs"]));
      break;
    case "MemberExpression":
      visit(node["object"], node["computed"] ? node["property"] : undefined);
      break;
    case "TestExpression":
      visit(node["operand"]);
      break;
    case "FilterExpression":
    case "FilterStatement":
      visit(node["operand"], node["body"], (node["filter"] as Node)["args"]);
      break;
    case "KeywordArgumentExpression":
      visit(node["value"]);
      break;
    default:
      // The library writes `and` and `or` as identifiers.
      visit(...Object.values({ ...node, operator: undefined }));
  }
}

/** Visits the branches of an `if`. Afterwards, the names that both branches set are declared. */
function visitBranches(node: Node, declared: Names, found: Names): void {
  visitAll(node["test"], declared, found);
  const [first, second] = [node["body"], node["alternate"]].map((body) => {
    const names = new Set(declared);
    visitAll(body, names, found);
    return names;
  });
  for (const name of first!) if (second!.has(name)) declared.add(name);
}

/** Visits a loop. Its variables may already be used by the condition in `for x in xs if x`. */
function visitLoop(node: Node, declared: Names, found: Names): void {
  const inside = new Set([...declared, ...listTargets(node["loopvar"]), "loop"]);
  const iterable = node["iterable"] as Node;
  const isSelection = iterable.type === "SelectExpression";
  visitAll(isSelection ? iterable["lhs"] : iterable, declared, found);
  if (isSelection) visitAll(iterable["test"], inside, found);
  visitAll(node["body"], inside, found);
  visitAll(node["defaultBlock"], new Set(declared), found);
}

/** Returns the names that an assignment, a loop or a macro gives values to. A member such as `ns.x` declares nothing. */
function listTargets(target: unknown): string[] {
  if (Array.isArray(target)) return target.flatMap(listTargets);
  if (!isNode(target)) return [];
  if (target.type === "Identifier") return [target["value"] as string];
  if (target.type === "KeywordArgumentExpression") return listTargets(target["key"]);
  return target.type === "TupleLiteral" ? listTargets(target["value"]) : [];
}

/** Returns the default values of a macro's parameters. */
function listDefaults(args: unknown): unknown[] {
  return (args as readonly Node[]).flatMap((arg) =>
    arg.type === "KeywordArgumentExpression" ? [arg["value"]] : [],
  );
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";
