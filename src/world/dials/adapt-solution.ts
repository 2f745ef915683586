/**
 * Adapts a solution's code to the dials of a world.
 *
 * Solutions are written in the APIs' own parameter names and expect every call to succeed. When the dials change that,
 * each `apis.<app>.<api>({ ... })` of a cell gets the renamed parameters and is retried after an outage. When the clock
 * runs ahead, the cell also logs in again after a session expired.
 */
import { type CallExpression, type Node, type ObjectExpression, type Program, parse } from "acorn";
import { BowlineError } from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";
import type { ParameterNames } from "./parameter-names.ts";

/** What a solution needs to know about a world. */
export interface SolutionSurface {
  /** Returns renamed parameters; undefined for an API whose parameters keep their names, such as those of `docs`. */
  parameterNames(app: string, api: string): ParameterNames | undefined;
  /** The names of the apps that need a session. */
  readonly appsWithLogin: ReadonlySet<string>;
}

const KIT_APPS = new Set(["docs", "me"]);
const RETRY_HELPER = "retrying";

/**
 * Returns the adapted code of a cell. The first cell also gets the retry helper. Code that cannot be parsed is not
 * changed. Throws a `world` error for a call whose parameters must be renamed but whose arguments are not an object
 * literal.
 */
export function adaptSolution(
  code: string,
  dials: Dials,
  surface: SolutionSurface,
  first: boolean,
): string {
  const expires = dials.clockDriftMs > 0 && surface.appsWithLogin.size > 0;
  const retried = dials.apiErrors > 0 || expires;
  const renamed = dials.renamedParams !== 0;
  if (!retried && !renamed) return code;
  const program = tryParse(code);
  if (!program) return code;
  const edits = findApiCalls(program).flatMap((call) => [
    ...(retried ? [retryEdit(call, code)] : []),
    ...(renamed ? renameEdits(call, surface.parameterNames(call.app, call.api)) : []),
  ]);
  const adapted = applyEdits(code, edits);
  return retried && first ? `${makeRetryHelper(expires)}\n${adapted}` : adapted;
}

/**
 * Returns the code of the retry helper. Its loop ends, because no API fails twice in a row and a new session lasts
 * longer than one call.
 */
function makeRetryHelper(expires: boolean): string {
  const login = `if(e.status===401&&e.message.includes("expired"))${RETRY_HELPER}(app,"login",{password:apis.me.listAccounts().items.find(a=>a.app===app).password});else `;
  return `const ${RETRY_HELPER}=(app,api,...args)=>{for(;;)try{return apis[app][api](...args)}catch(e){${expires ? login : ""}if(e.status!==503)throw e}}`;
}

interface CodeEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface ApiCallNode {
  readonly app: string;
  readonly api: string;
  readonly node: CallExpression;
}

/** Turns `apis.mail.list(` into `retrying("mail","list",`, so that the arguments are evaluated only once. */
function retryEdit({ app, api, node }: ApiCallNode, code: string): CodeEdit {
  const { start, callee, arguments: given } = node;
  const head = `${RETRY_HELPER}(${JSON.stringify(app)},${JSON.stringify(api)}${given.length > 0 ? "," : ""}`;
  return { start, end: code.indexOf("(", callee.end) + 1, text: head };
}

function renameEdits(call: ApiCallNode, names: ParameterNames | undefined): CodeEdit[] {
  const [argument] = call.node.arguments;
  if (!names || !argument) return [];
  if (argument.type !== "ObjectExpression") throw unreadableArguments(call);
  return argument.properties.flatMap((property) => renameKey(call, property, names));
}

function renameKey(
  call: ApiCallNode,
  property: ObjectExpression["properties"][number],
  names: ParameterNames,
): CodeEdit[] {
  if (property.type === "SpreadElement" || property.computed) throw unreadableArguments(call);
  const { key, shorthand } = property;
  const own =
    key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : "";
  const shown = names.toShown(own);
  if (shown === own) return [];
  const text = shorthand ? `${shown}:${own}` : shown;
  return [{ start: key.start, end: key.end, text }];
}

function unreadableArguments({ app, api }: ApiCallNode): BowlineError {
  return new BowlineError(
    "world",
    `cannot rename the parameters of apis.${app}.${api} in a solution: expected its arguments written out as { name: value }`,
  );
}

function tryParse(code: string): Program | undefined {
  try {
    const sourceType = "script";
    return parse(code, { ecmaVersion: "latest", sourceType, allowAwaitOutsideFunction: true });
  } catch {
    return undefined;
  }
}

/** Finds the calls of the world's own apps anywhere in the code. */
function findApiCalls(node: Node): ApiCallNode[] {
  const call = readApiCall(node);
  const inner = Object.values(node).flat().filter(isNode).flatMap(findApiCalls);
  return call && !KIT_APPS.has(call.app) ? [call, ...inner] : inner;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function readApiCall(node: Node): ApiCallNode | undefined {
  if (!isCallExpression(node) || node.callee.type !== "MemberExpression") return undefined;
  const { object: app, property: api } = node.callee;
  if (app.type !== "MemberExpression" || app.object.type !== "Identifier") return undefined;
  if (app.object.name !== "apis" || app.property.type !== "Identifier") return undefined;
  if (app.computed || node.callee.computed || api.type !== "Identifier") return undefined;
  return { app: app.property.name, api: api.name, node };
}

function isCallExpression(node: Node): node is CallExpression {
  return node.type === "CallExpression";
}

/** Applies edits that must not overlap. */
function applyEdits(code: string, edits: readonly CodeEdit[]): string {
  let adapted = "";
  let done = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    adapted += code.slice(done, start) + text;
    done = end;
  }
  return adapted + code.slice(done);
}
