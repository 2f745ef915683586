/**
 * A solution's code, made to fit a world whose dials are turned.
 *
 * Solutions are written in the APIs' own parameter names and expect every call to get through. Where that is not so,
 * each `apis.<app>.<api>({ ... })` of a cell gets the names that hold here and is retried after an outage, and where
 * the clock runs ahead, logs in again after a session expired.
 */
import { type CallExpression, type Node, type ObjectExpression, type Program, parse } from "acorn";
import { BowlineError } from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";
import type { ParameterNames } from "./parameter-names.ts";

/** What a solution meets in a world. */
export interface SolutionSurface {
  /** Undefined where an API has its own names; so have `docs`, `me` and what is no API. */
  parameterNames(app: string, api: string): ParameterNames | undefined;
  /** The apps that need a session. */
  readonly logins: ReadonlySet<string>;
}

const KIT = new Set(["docs", "me"]);
const HELPER = "retrying";

/**
 * `first` is true for the first cell, which also gets the helper. Code that cannot be parsed stays as it is. Throws a
 * `world` error for a call whose arguments must be renamed and are not written out.
 */
export function adaptSolution(
  code: string,
  dials: Dials,
  surface: SolutionSurface,
  first: boolean,
): string {
  const expires = dials.clockDriftMs > 0 && surface.logins.size > 0;
  const retried = dials.apiErrors > 0 || expires;
  const renamed = dials.renamedParams !== 0;
  if (!retried && !renamed) return code;
  const program = parsed(code);
  if (!program) return code;
  const edits = callsIn(program).flatMap((call) => [
    ...(retried ? [retry(call, code)] : []),
    ...(renamed ? renames(call, surface.parameterNames(call.app, call.api)) : []),
  ]);
  const adapted = apply(code, edits);
  return retried && first ? `${helper(expires)}\n${adapted}` : adapted;
}

/** An API never fails twice in a row, and a fresh session outlives the call that needs it, so the loop ends. */
function helper(expires: boolean): string {
  const login = `if(e.status===401&&e.message.includes("expired"))${HELPER}(app,"login",{password:apis.me.listAccounts().items.find(a=>a.app===app).password});else `;
  return `const ${HELPER}=(app,api,...args)=>{for(;;)try{return apis[app][api](...args)}catch(e){${expires ? login : ""}if(e.status!==503)throw e}}`;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface ApiCall {
  readonly app: string;
  readonly api: string;
  readonly node: CallExpression;
}

/** `apis.mail.list(` becomes `retrying("mail","list",`; what the arguments do is done once. */
function retry({ app, api, node }: ApiCall, code: string): Edit {
  const { start, callee, arguments: given } = node;
  const head = `${HELPER}(${JSON.stringify(app)},${JSON.stringify(api)}${given.length > 0 ? "," : ""}`;
  return { start, end: code.indexOf("(", callee.end) + 1, text: head };
}

function renames(call: ApiCall, names: ParameterNames | undefined): Edit[] {
  const [argument] = call.node.arguments;
  if (!names || !argument) return [];
  if (argument.type !== "ObjectExpression") throw unreadable(call);
  return argument.properties.flatMap((property) => renameKey(call, property, names));
}

function renameKey(
  call: ApiCall,
  property: ObjectExpression["properties"][number],
  names: ParameterNames,
): Edit[] {
  if (property.type === "SpreadElement" || property.computed) throw unreadable(call);
  const { key, shorthand } = property;
  const own =
    key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : "";
  const shown = names.show(own);
  if (shown === own) return [];
  const text = shorthand ? `${shown}:${own}` : shown;
  return [{ start: key.start, end: key.end, text }];
}

function unreadable({ app, api }: ApiCall): BowlineError {
  return new BowlineError(
    "world",
    `cannot rename the parameters of apis.${app}.${api} in a solution: expected its arguments written out as { name: value }`,
  );
}

function parsed(code: string): Program | undefined {
  try {
    const sourceType = "script";
    return parse(code, { ecmaVersion: "latest", sourceType, allowAwaitOutsideFunction: true });
  } catch {
    return undefined;
  }
}

/** Calls of the world's own apps, anywhere in the code. */
function callsIn(node: Node): ApiCall[] {
  const call = apiCall(node);
  const inner = Object.values(node).flat().filter(isNode).flatMap(callsIn);
  return call && !KIT.has(call.app) ? [call, ...inner] : inner;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function apiCall(node: Node): ApiCall | undefined {
  if (!isCall(node) || node.callee.type !== "MemberExpression") return undefined;
  const { object: app, property: api } = node.callee;
  if (app.type !== "MemberExpression" || app.object.type !== "Identifier") return undefined;
  if (app.object.name !== "apis" || app.property.type !== "Identifier") return undefined;
  if (app.computed || node.callee.computed || api.type !== "Identifier") return undefined;
  return { app: app.property.name, api: api.name, node };
}

function isCall(node: Node): node is CallExpression {
  return node.type === "CallExpression";
}

/** Edits are apart from each other. */
function apply(code: string, edits: readonly Edit[]): string {
  let adapted = "";
  let done = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    adapted += code.slice(done, start) + text;
    done = end;
  }
  return adapted + code.slice(done);
}
