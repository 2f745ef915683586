/**
 * A tree of answers as training rows: one for each way from a root to a leaf, a concatenation of what was rendered and what
 * was sampled, never encoded again.
 *
 * An answer that several ways share is trained in the first of them and is context in the others, so every answer is
 * learned from exactly once. All rows are of one rollout: `tokens` and its `segments`, over whose action tokens together
 * an objective's mean runs. Turns stand in the order of their tokens.
 */
import type { ChatPart, RolloutTokens, Turn } from "../../spec/index.ts";
import { joinTexts } from "../tools/chat-messages.ts";
import { callOpeningIds } from "./answer-plan.ts";
import type { AnswerNode } from "./session-tree.ts";

export interface SessionRows {
  /** The first row; undefined where nothing was answered. */
  readonly tokens: RolloutTokens | undefined;
  /** The rows after it. */
  readonly segments: readonly RolloutTokens[];
  /** One for each answer, with its `span` in the row where it is trained. */
  readonly turns: readonly Turn[];
  /** Whose conversation each row is, where the agent named them. */
  readonly roles: readonly (string | undefined)[];
}

type Row = { readonly ids: number[]; readonly mask: (0 | 1)[]; readonly logprobs: number[] };

/** `text`: of an answer's ids, markup included. */
export function createSessionRows(
  roots: readonly AnswerNode[],
  text: (ids: readonly number[]) => string,
): SessionRows {
  const trained = new Set<AnswerNode>();
  const rows: Row[] = [];
  const turns: Turn[] = [];
  const roles: (string | undefined)[] = [];
  for (const path of pathsToLeaves(roots)) {
    const row: Row = { ids: [], mask: [], logprobs: [] };
    path.forEach((node, i) => {
      const { ids, logprobs } = node.answered!;
      const once = trained.has(node) ? 0 : 1;
      appendTokens(row, node.newIds, 0);
      const start = row.ids.length;
      appendTokens(row, ids, once, logprobs);
      if (once === 0) return;
      trained.add(node);
      const place = { span: [start, row.ids.length] as [number, number] };
      const segment = rows.length > 0 ? { segment: rows.length } : {};
      turns.push({ ...createTurn(node, path[i + 1], text), ...place, ...segment });
    });
    rows.push(row);
    roles.push(path[0]!.role);
  }
  const [tokens, ...segments] = rows;
  return { tokens, segments, turns, roles };
}

function appendTokens(
  row: Row,
  ids: readonly number[],
  mask: 0 | 1,
  logprobs?: readonly number[],
): void {
  ids.forEach((id, i) => {
    row.ids.push(id);
    row.mask.push(mask);
    row.logprobs.push(mask === 1 ? logprobs![i]! : 0);
  });
}

/** Depth first, in the order in which the answers were asked for. What was never answered is no part of it. */
function* pathsToLeaves(
  nodes: readonly AnswerNode[],
  path: readonly AnswerNode[] = [],
): Generator<readonly AnswerNode[]> {
  for (const node of nodes) {
    if (!node.answered) continue;
    const way = [...path, node];
    if (node.children.some(({ answered }) => answered)) yield* pathsToLeaves(node.children, way);
    else yield way;
  }
}

/** What was run of the answer are its calls, and what came of them the agent's next request tells. Words alone are speech. */
function createTurn(
  node: AnswerNode,
  next: AnswerNode | undefined,
  text: (ids: readonly number[]) => string,
): Turn {
  const { answer, ids } = node.answered!;
  const said = next?.inputs.flatMap(({ message }) => message.parts) ?? [];
  const failed = new Set(
    said.flatMap((part) => (part.type === "tool-result" && part.isError ? [part.callId] : [])),
  );
  const asked = answer.parts.filter((part) => part.type === "tool-call");
  const calls = asked.map(({ id, name, arguments: args }) => ({
    app: "tools",
    api: name,
    args: JSON.parse(args) as unknown,
    status: failed.has(id) ? 500 : 200,
    wrote: false,
  }));
  return {
    message: text([...callOpeningIds(node), ...ids]),
    code: asked.map(({ name, arguments: args }) => `${name}(${args})`).join("\n"),
    observation: said.map(partText).filter(Boolean).join("\n"),
    status: calls.some(({ status }) => status !== 200) ? "error" : "ok",
    calls,
    ...(calls.length === 0 && { part: "speech" as const }),
  };
}

function partText(part: ChatPart): string {
  return part.type === "tool-result" ? part.text : joinTexts([part], "");
}
