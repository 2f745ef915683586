/**
 * Makes mutants: wrong solutions, derived from a right one. Each is a plausible mistake, and the checks must reject all
 * of them.
 */
import type { Rng } from "../../core/index.ts";
import type { Answer } from "../define.ts";
import type { TableState } from "../state/index.ts";
import { isFinishCall } from "./call-kinds.ts";
import { makeLivingMutants } from "./living-mutants.ts";
import { otherValues } from "./other-values.ts";
import type { Call, Replayer, ReplayResult } from "./replay.ts";
import type { Variant } from "./variant.ts";

/**
 * The largest number of writing calls of a solution that are mutated one by one. If there are more, a sample is taken.
 */
const MAX_MUTATED_WRITES = 6;

export function makeMutants(
  replayer: Replayer,
  calls: readonly Call[],
  right: ReplayResult,
  rng: Rng,
): Variant[] {
  const writes = calls.flatMap((_, i) => (replayer.changesContent(right.results[i]!) ? [i] : []));
  const some = rng.sample(writes, MAX_MUTATED_WRITES).sort((a, b) => a - b);
  return [
    ...some.map((i) => replaceCall("drop", calls, i, [])),
    ...some.map((i) => replaceCall("repeat", calls, i, [calls[i]!, calls[i]!])),
    ...some.flatMap((i) => fieldMutants(calls, i)),
    ...some.flatMap((i) => targetMutants(replayer, calls, i, right, rng)),
    ...partialLoops(calls, writes),
    ...(replayer.isLiving ? makeLivingMutants(calls, writes, rng.child("living")) : []),
    ...endMutants(calls, replayer),
  ];
}

/** Makes a variant in which other calls replace call `i`. */
function replaceCall(
  what: string,
  calls: readonly Call[],
  i: number,
  others: readonly Call[],
): Variant {
  const { app, api, args } = calls[i]!;
  const name = `${what} ${app}.${api}(${JSON.stringify(args)})`;
  return { name, calls: [...calls.slice(0, i), ...others, ...calls.slice(i + 1)] };
}

/** Makes mutants in which an argument of the call is left out or has a wrong value. */
function fieldMutants(calls: readonly Call[], i: number): Variant[] {
  const call = calls[i]!;
  return Object.keys(call.args).flatMap((field) => {
    const { [field]: value, ...rest } = call.args;
    return [
      replaceCall(`omit ${field} of`, calls, i, [{ ...call, args: rest }]),
      ...wrongValues(value).map((wrong) =>
        replaceCall(`${field} ${JSON.stringify(wrong)} in`, calls, i, [
          withArgument(call, field, wrong),
        ]),
      ),
    ];
  });
}

function withArgument(call: Call, field: string, value: unknown): Call {
  return { ...call, args: { ...call.args, [field]: value } };
}

function wrongValues(value: unknown): unknown[] {
  if (typeof value === "number") return [value + 1, value * 10];
  if (typeof value === "boolean") return [!value];
  if (Array.isArray(value)) return value.length > 0 ? [value.slice(1)] : [];
  if (typeof value !== "string") return [];
  const [, date, time] = /^(\d{4}-\d\d-\d\d)?(\d\d:\d\d)?$/.exec(value) ?? [];
  if (date) return [new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)];
  if (time) return [`${time === "23:00" ? "22" : "23"}:00`];
  return [`${value} xyz`, ...otherNumbers(value)];
}

/** Returns the text with another number in it: a digit changed, its point moved, its sign dropped, or two joined. */
function otherNumbers(text: string): string[] {
  const changed = [
    text.replace(/\d(?!.*\d)/s, (digit) => String((Number(digit) + 1) % 10)),
    text.replace(/(\d)\.(\d)/, "$1$2."),
    text.replace(/(^|\s)-(?=[$€£]?\d)/, "$1"),
    text.replace(/(\d)[^\p{L}\p{N}]+(?=\d)/u, "$1"),
  ];
  return [...new Set(changed)].filter((other) => other !== text);
}

/** Makes mutants that name another person, list or row than the call does, as a careless solver might. */
function targetMutants(
  replayer: Replayer,
  calls: readonly Call[],
  i: number,
  right: ReplayResult,
  rng: Rng,
): Variant[] {
  const call = calls[i]!;
  const result = right.results[i]!;
  const changes = "changes" in result ? result.changes : [];
  const state: TableState = replayer.start.state;
  return Object.entries(call.args).flatMap(([field, value]) =>
    rng
      .sample(otherValues(replayer.catalog, state, changes, value), 2)
      .map((other) =>
        replaceCall(`${field} ${JSON.stringify(other)} in`, calls, i, [
          withArgument(call, field, other),
        ]),
      ),
  );
}

/** Makes mutants that make only the first of several calls of one API, or all but the last. */
function partialLoops(calls: readonly Call[], writes: readonly number[]): Variant[] {
  const names = new Map<string, number[]>();
  for (const i of writes) {
    const name = `${calls[i]!.app}.${calls[i]!.api}`;
    names.set(name, [...(names.get(name) ?? []), i]);
  }
  return [...names].flatMap(([name, indexes]) => {
    if (indexes.length < 2) return [];
    const withoutCalls = (gone: readonly number[]) => calls.filter((_, i) => !gone.includes(i));
    return [
      { name: `only the first ${name}`, calls: withoutCalls(indexes.slice(1)) },
      { name: `all but the last ${name}`, calls: withoutCalls(indexes.slice(-1)) },
    ];
  });
}

/** Makes mutants of the end: guessed answers, no answer, giving up, and giving up too late. */
function endMutants(calls: readonly Call[], replayer: Replayer): Variant[] {
  const { answer, impossible, guesses: own = [] } = replayer.start.checks.outcome;
  const end = calls.findLastIndex(isFinishCall);
  if (end < 0) return [];
  const finishVariant = (name: string, args: Call["args"]): Variant => ({
    name,
    calls: [...calls.slice(0, end), { app: "me", api: "finishTask", args }],
  });
  if (impossible) return [finishVariant("claim that it is done", {})];
  const guesses = answer === undefined ? [] : distinctAnswers([0, 1, "yes", "", ...own]);
  return [
    finishVariant("claim that it is impossible", { status: "impossible" }),
    ...guesses.map((guess) => ({
      ...finishVariant(`answer ${JSON.stringify(guess)}`, { answer: guess }),
      guess: true,
    })),
    ...(answer === undefined ? [] : [finishVariant("no answer", {})]),
  ];
}

function distinctAnswers(answers: readonly Answer[]): Answer[] {
  return [...new Map(answers.map((answer) => [JSON.stringify(answer), answer])).values()];
}
