/**
 * Completions in a cell: names of apps after `apis.`, of APIs after `apis.APP.`, and of parameters in the object of an
 * API call. The place of the cursor is read from the syntax tree, which also exists for unfinished code. The choices
 * come only from the world's documentation.
 */
import { ensureSyntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { AppView } from "../../../src/spec/studio/index.ts";

/** The place of the cursor. `from` is the beginning of the word at the cursor. */
export type CursorPlace =
  | { readonly kind: "app"; readonly from: number }
  | { readonly kind: "api"; readonly from: number; readonly app: string }
  | {
      readonly kind: "parameter";
      readonly from: number;
      readonly app: string;
      readonly api: string;
      /** The parameters that the object already has. */
      readonly presentNames: readonly string[];
    };

/** One completion. */
export interface CompletionChoice {
  readonly label: string;
  /** A short text next to the label. */
  readonly detail?: string;
  /** The meaning, in a sentence. */
  readonly info: string;
  /** The text to insert, if it differs from the label. */
  readonly apply?: string;
  readonly type: "namespace" | "method" | "property";
}

type Node = ReturnType<NonNullable<ReturnType<typeof ensureSyntaxTree>>["resolveInner"]>;

/** A limit on the time for parsing. A cell of usual length never reaches it. */
const MAX_PARSE_MS = 100;

export function findCursorPlace(state: EditorState, at: number): CursorPlace | undefined {
  const tree = ensureSyntaxTree(state, at, MAX_PARSE_MS);
  if (!tree) return undefined;
  const node = tree.resolveInner(at, -1);
  if (/String|Template|Comment|RegExp/.test(node.name)) return undefined;
  const from = at - (/[\w$]*$/.exec(state.sliceDoc(Math.max(0, at - 80), at))?.[0].length ?? 0);
  return findMember(state, from) ?? findParameter(state, node, from);
}

/** Finds `apis.` or `apis.APP.` before the cursor, even with white space in between. */
function findMember(state: EditorState, from: number): CursorPlace | undefined {
  const before = state.sliceDoc(Math.max(0, from - 200), from);
  const app = /(?:^|[^\w$.])apis\s*\.\s*(?:([\w$]+)\s*\.\s*)?$/.exec(before);
  if (!app) return undefined;
  return app[1] === undefined ? { kind: "app", from } : { kind: "api", from, app: app[1] };
}

/** Finds the API call in whose parameter object a name begins at `from`. Values of parameters have no completions. */
function findParameter(state: EditorState, inner: Node, from: number): CursorPlace | undefined {
  const object = findEnclosingObject(state, inner, from);
  const list =
    object?.parent?.name === "AssignmentExpression" ? object.parent.parent : object?.parent;
  const call = list?.name === "ArgList" ? list.parent : undefined;
  const callee = call?.name === "CallExpression" ? call.firstChild : undefined;
  if (!object || !callee) return undefined;
  const name = /^apis\s*\.\s*([\w$]+)\s*\.\s*([\w$]+)$/.exec(
    state.sliceDoc(callee.from, callee.to),
  );
  if (!name) return undefined;
  const presentNames = object
    .getChildren("Property")
    .flatMap((property) => property.getChildren("PropertyDefinition"))
    .filter((key) => key.from !== from)
    .map((key) => state.sliceDoc(key.from, key.to));
  return { kind: "parameter", from, app: name[1]!, api: name[2]!, presentNames };
}

/** Returns the object in which a name begins at `from`, directly after `{` or `,`. */
function findEnclosingObject(state: EditorState, inner: Node, from: number): Node | undefined {
  if (!/[{,]\s*$/.test(state.sliceDoc(Math.max(0, from - 200), from))) return undefined;
  let node: Node | null = inner;
  // An unclosed `{ name` is parsed as the beginning of `({ name } = ...)`.
  while (node && node.name !== "ObjectExpression" && node.name !== "ObjectPattern") {
    const isInside = ["ArrayExpression", "ArgList", "Block", "ParamList"].includes(node.name);
    if (isInside) return undefined;
    node = node.parent;
  }
  return node ?? undefined;
}

/** Lists the apps in the order of the world. */
export function listAppChoices(
  apps: readonly { readonly name: string; readonly summary: string }[],
): CompletionChoice[] {
  return apps.map(({ name, summary }) => ({ label: name, info: summary, type: "namespace" }));
}

export function listApiChoices({ apis }: AppView): CompletionChoice[] {
  return apis.map(({ name, summary, parameters }) => ({
    label: name,
    detail: `(${parameters.map((one) => (one.required ? one.name : `${one.name}?`)).join(", ")})`,
    info: summary,
    type: "method",
  }));
}

/** Lists the parameters that the call does not have yet, required ones first. */
export function listParameterChoices(
  { apis }: AppView,
  api: string,
  presentNames: readonly string[],
): CompletionChoice[] {
  const all = apis.find(({ name }) => name === api)?.parameters ?? [];
  const left = all.filter(({ name }) => !presentNames.includes(name));
  return [...left.filter((one) => one.required), ...left.filter((one) => !one.required)].map(
    ({ name, type, required, description }) => ({
      label: name,
      detail: required ? type : `${type}, optional`,
      info: description,
      apply: `${name}: `,
      type: "property",
    }),
  );
}
