/**
 * What can be written next in a cell: names of apps behind `apis.`, of APIs behind `apis.APP.`, of parameters inside the
 * object that an API is called with. Where the cursor stands is read from the syntax tree, which is there for code that is
 * not finished too; what may stand there comes from the world's documentation alone.
 */
import { ensureSyntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { AppView } from "../../../src/spec/studio/index.ts";

/** `from`: where the word begins that the cursor stands behind or in. */
export type CursorPlace =
  | { readonly kind: "app"; readonly from: number }
  | { readonly kind: "api"; readonly from: number; readonly app: string }
  | {
      readonly kind: "parameter";
      readonly from: number;
      readonly app: string;
      readonly api: string;
      /** What the object has already. */
      readonly presentNames: readonly string[];
    };

/** One thing that may stand there. */
export interface CompletionChoice {
  readonly label: string;
  /** Beside the label: short. */
  readonly detail?: string;
  /** What it is, in a sentence. */
  readonly info: string;
  /** What is written in its place, where that is not the label. */
  readonly apply?: string;
  readonly type: "namespace" | "method" | "property";
}

type Node = ReturnType<NonNullable<ReturnType<typeof ensureSyntaxTree>>["resolveInner"]>;

/** A parse may take this long; a cell is far shorter than that. */
const MAX_PARSE_MS = 100;

export function findCursorPlace(state: EditorState, at: number): CursorPlace | undefined {
  const tree = ensureSyntaxTree(state, at, MAX_PARSE_MS);
  if (!tree) return undefined;
  const node = tree.resolveInner(at, -1);
  if (/String|Template|Comment|RegExp/.test(node.name)) return undefined;
  const from = at - (/[\w$]*$/.exec(state.sliceDoc(Math.max(0, at - 80), at))?.[0].length ?? 0);
  return findMember(state, from) ?? findParameter(state, node, from);
}

/** `apis.` and `apis.APP.`, spaces and line breaks between them allowed. */
function findMember(state: EditorState, from: number): CursorPlace | undefined {
  const before = state.sliceDoc(Math.max(0, from - 200), from);
  const app = /(?:^|[^\w$.])apis\s*\.\s*(?:([\w$]+)\s*\.\s*)?$/.exec(before);
  if (!app) return undefined;
  return app[1] === undefined ? { kind: "app", from } : { kind: "api", from, app: app[1] };
}

/** Only where a name stands: a value is the code's own business. */
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

/** The object in which a name would begin at `from`: nothing but `{` or `,` stands before it. */
function findEnclosingObject(state: EditorState, inner: Node, from: number): Node | undefined {
  if (!/[{,]\s*$/.test(state.sliceDoc(Math.max(0, from - 200), from))) return undefined;
  let node: Node | null = inner;
  // `{ name` that nothing closes yet is read as the beginning of `({ name } = ...)`.
  while (node && node.name !== "ObjectExpression" && node.name !== "ObjectPattern") {
    const isInside = ["ArrayExpression", "ArgList", "Block", "ParamList"].includes(node.name);
    if (isInside) return undefined;
    node = node.parent;
  }
  return node ?? undefined;
}

/** `apps` in the order that the world lists them. */
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

/** Without those that are given; the ones that must be given first. */
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
