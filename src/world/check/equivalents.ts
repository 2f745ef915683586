/** Makes equivalents: other right solutions, derived from a right one. The checks must accept all of them. */
import type { Answer } from "../define.ts";
import { isAskCall, isFinishCall, isWaitCall } from "./call-kinds.ts";
import type { Call, Replayer, ReplayResult } from "./replay.ts";
import type { Variant } from "./variant.ts";

const MAX_SWAPS = 4;

export function makeEquivalents(
  replayer: Replayer,
  calls: readonly Call[],
  right: ReplayResult,
): Variant[] {
  const writes = new Set(
    calls.flatMap((_, i) => (replayer.changesContent(right.results[i]!) ? [i] : [])),
  );
  const isRead = (call: Call, i: number) =>
    !writes.has(i) && !isFinishCall(call) && !isWaitCall(call) && !isAskCall(call);
  return [
    { name: "documentation first", calls: [...documentationCalls(calls), ...calls] },
    {
      name: "every read twice",
      calls: calls.flatMap((call, i) => (isRead(call, i) ? [call, call] : [call])),
    },
    {
      name: "every write repeated after a wrong call",
      calls: calls.flatMap((call, i) => (writes.has(i) ? [misspellArgument(call), call] : [call])),
    },
    ...repeatLogins(replayer, calls, writes),
    ...swapWrites(replayer, calls, right, [...writes]),
    ...answerVariants(replayer, calls),
  ];
}

function documentationCalls(calls: readonly Call[]): Call[] {
  const docsCall = (api: string, args: Call["args"]) => ({ app: "docs", api, args });
  const { app, api } = calls[0] ?? { app: "me", api: "finishTask" };
  return [
    docsCall("listApps", {}),
    docsCall("listApis", { app }),
    docsCall("showApi", { app, api }),
  ];
}

/** Repeats every login before the last write. */
function repeatLogins(
  replayer: Replayer,
  calls: readonly Call[],
  writes: ReadonlySet<number>,
): Variant[] {
  const logins = calls.filter((call) => replayer.isLoginCall(call));
  if (logins.length === 0) return [];
  const at = Math.max(...writes, calls.findLastIndex((call) => replayer.isLoginCall(call)) + 1);
  return [{ name: "a second login", calls: calls.toSpliced(at, 0, ...logins) }];
}

function misspellArgument(call: Call): Call {
  return { ...call, args: { ...call.args, misspelt: true } };
}

/**
 * Swaps neighbouring writes when neither depends on the other, no later call uses the ids of their new rows, and no
 * time passes between them.
 */
function swapWrites(
  replayer: Replayer,
  calls: readonly Call[],
  right: ReplayResult,
  writes: readonly number[],
): Variant[] {
  const found: Variant[] = [];
  for (let k = 0; k + 1 < writes.length && found.length < MAX_SWAPS; k++) {
    const [i, j] = [writes[k]!, writes[k + 1]!];
    if (calls.slice(i, j).some(isWaitCall) || !areIndependent(right, calls, i, j)) continue;
    const swapped = moveLoginsFirst(replayer, calls.with(i, calls[j]!).with(j, calls[i]!));
    const works = replayer.run(swapped).results.every(({ status }) => status === 200);
    const names = [i, j].map((at) => `${calls[at]!.app}.${calls[at]!.api}`);
    if (works)
      found.push({ name: `${names.join(" and ")} (calls ${i} and ${j}) swapped`, calls: swapped });
  }
  return found;
}

/** Moves all logins to the front, because a write that is moved forward may need its session earlier. */
function moveLoginsFirst(replayer: Replayer, calls: readonly Call[]): readonly Call[] {
  const logins = calls.filter((call) => replayer.isLoginCall(call));
  return [...logins, ...calls.filter((call) => !replayer.isLoginCall(call))];
}

function areIndependent(
  right: ReplayResult,
  calls: readonly Call[],
  i: number,
  j: number,
): boolean {
  const [a, b] = [touchedRows(right, i), touchedRows(right, j)];
  if (a.rows.some((row) => b.rows.includes(row))) return false;
  const created = [...a.created, ...b.created];
  return !calls
    .slice(i + 1)
    .some(({ args }) => collectNumbers(args).some((n) => created.includes(n)));
}

function touchedRows(right: ReplayResult, i: number): { rows: string[]; created: number[] } {
  const result = right.results[i]!;
  const changes = "changes" in result ? result.changes : [];
  return {
    rows: changes.map(({ table, id }) => `${table}#${id}`),
    created: changes.flatMap(({ kind, id }) => (kind === "insert" ? [id] : [])),
  };
}

function collectNumbers(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(collectNumbers)
    : [];
}

/** Gives the right answer as another person may put it, or a remark where no answer is asked for. */
function answerVariants(replayer: Replayer, calls: readonly Call[]): Variant[] {
  const { answer, impossible } = replayer.start.checks.outcome;
  const end = calls.findLastIndex(isFinishCall);
  if (impossible || end < 0) return [];
  const forms = answer === undefined ? ["Done."] : otherAnswerForms(answer);
  return forms.map((form) => ({
    name: `answer ${JSON.stringify(form)}`,
    calls: calls.with(end, { ...calls[end]!, args: { ...calls[end]!.args, answer: form } }),
  }));
}

function otherAnswerForms(answer: Answer): Answer[] {
  if (typeof answer === "number") return [String(answer), answer.toFixed(2)];
  if (typeof answer === "string") return [answer.toUpperCase(), `${answer}.`];
  if (typeof answer === "boolean") return [answer ? "yes" : "no"];
  return [[...answer].reverse()];
}
