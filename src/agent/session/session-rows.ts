/**
 * Turns a tree of answers into training rows. There is one row for each path from a root to a leaf. A row is a
 * concatenation of rendered and sampled ids; nothing is encoded again.
 *
 * An answer that several paths share is trained in the first of them and is context in the others, so every answer is
 * trained exactly once. All rows belong to one rollout, as its `tokens` and its `segments`. An objective takes its mean
 * over the action tokens of all of them together. Turns are in the order of their tokens.
 */
import type { ChatPart, RolloutTokens, Turn } from "../../spec/index.ts";
import { joinTexts } from "../tools/chat-messages.ts";
import { callOpeningIds } from "./answer-plan.ts";
import type { AnswerNode } from "./session-tree.ts";

export interface SessionRows {
  /** The first row. It is undefined when nothing was answered. */
  readonly tokens: RolloutTokens | undefined;
  /** The rows of the session after the first. */
  readonly segments: readonly RolloutTokens[];
  /** One turn for each answer. Its `span` is in the row where the answer is trained. */
  readonly turns: readonly Turn[];
  /** The role that the agent named for each row's conversation, where it named one. */
  readonly roles: readonly (string | undefined)[];
}

type TokenRow = { readonly ids: number[]; readonly mask: (0 | 1)[]; readonly logprobs: number[] };

/** Creates the rows and turns of a session. `text` returns the text of an answer's ids, including markup. */
export function createSessionRows(
  roots: readonly AnswerNode[],
  text: (ids: readonly number[]) => string,
): SessionRows {
  const trained = new Set<AnswerNode>();
  const rows: TokenRow[] = [];
  const turns: Turn[] = [];
  const roles: (string | undefined)[] = [];
  for (const path of pathsToLeaves(roots)) {
    const row: TokenRow = { ids: [], mask: [], logprobs: [] };
    path.forEach((node, i) => {
      const { ids, logprobs } = node.answered!;
      const isTrained = trained.has(node) ? 0 : 1;
      appendTokens(row, node.newIds, 0);
      const start = row.ids.length;
      appendTokens(row, ids, isTrained, logprobs);
      if (isTrained === 0) return;
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
  row: TokenRow,
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

/**
 * Yields the paths from the roots to the leaves, depth first, in the order of the requests. Unanswered nodes are
 * skipped.
 */
function* pathsToLeaves(
  nodes: readonly AnswerNode[],
  path: readonly AnswerNode[] = [],
): Generator<readonly AnswerNode[]> {
  for (const node of nodes) {
    if (!node.answered) continue;
    const longerPath = [...path, node];
    if (node.children.some(({ answered }) => answered))
      yield* pathsToLeaves(node.children, longerPath);
    else yield longerPath;
  }
}

/**
 * Creates the turn of an answer. Its code is the tool calls of the answer. Its observation is taken from the agent's
 * next request. An answer without calls is speech.
 */
function createTurn(
  node: AnswerNode,
  next: AnswerNode | undefined,
  text: (ids: readonly number[]) => string,
): Turn {
  const { answer, ids } = node.answered!;
  const nextParts = next?.inputs.flatMap(({ message }) => message.parts) ?? [];
  const failed = new Set(
    nextParts.flatMap((part) => (part.type === "tool-result" && part.isError ? [part.callId] : [])),
  );
  const toolCalls = answer.parts.filter((part) => part.type === "tool-call");
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    app: "tools",
    api: name,
    args: JSON.parse(args) as unknown,
    status: failed.has(id) ? 500 : 200,
    wrote: false,
  }));
  return {
    message: text([...callOpeningIds(node), ...ids]),
    code: toolCalls.map(({ name, arguments: args }) => `${name}(${args})`).join("\n"),
    observation: nextParts.map(partText).filter(Boolean).join("\n"),
    status: calls.some(({ status }) => status !== 200) ? "error" : "ok",
    calls,
    ...(calls.length === 0 && { part: "speech" as const }),
  };
}

function partText(part: ChatPart): string {
  return part.type === "tool-result" ? part.text : joinTexts([part], "");
}
