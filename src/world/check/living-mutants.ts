/**
 * Mutants of time and people: a solution that does not wait, acts before it has waited or long after, does not ask, asks
 * twice, or asks what does not matter. A mutant that leaves the same data and breaks no rule of the goal is no mistake
 * in its task, so it does not count.
 */
import type { Rng } from "../../core/index.ts";
import { isAskCall, isFinishCall, isWaitCall } from "./call-kinds.ts";
import type { Call } from "./replay.ts";
import type { Variant } from "./variant.ts";

/** The largest number of mutants of each kind that are made for one task. */
const MAX_OF_A_KIND = 4;

/** Lets about two months pass. One wait ends at the first notice, so there are several. */
const LONG_WAIT: readonly Call[] = Array.from({ length: 4 }, () => ({
  ...{ app: "me", api: "wait", args: { minutes: 15 * 24 * 60 } },
}));

/** `writes` are the positions of the calls that change what the task compares. */
export function makeLivingMutants(
  calls: readonly Call[],
  writes: readonly number[],
  rng: Rng,
): Variant[] {
  const positions = (test: (call: Call) => boolean) =>
    rng
      .sample(
        [...calls.keys()].filter((i) => test(calls[i]!)),
        MAX_OF_A_KIND,
      )
      .sort((a, b) => a - b);
  const waits = positions(isWaitCall);
  return [
    ...waits.map((i) => ({ name: `too early: without wait ${i}`, calls: calls.toSpliced(i, 1) })),
    ...(waits.length > 1
      ? [{ name: "too early: wait for nothing", calls: calls.filter((call) => !isWaitCall(call)) }]
      : []),
    ...waits.flatMap((i) => actBeforeWaiting(calls, writes, i)),
    ...rng.sample(writes, MAX_OF_A_KIND).map((i) => ({
      name: `too late: two months before ${nameCall(calls[i]!)}`,
      calls: calls.toSpliced(i, 0, ...LONG_WAIT),
    })),
    ...positions(isAskCall).flatMap((i) => askDifferently(calls, i)),
    ...botherOwner(calls),
    ...giveUpAtOnce(calls),
  ];
}

/** Ends all sessions and does nothing else, as the solution ends them. It differs only where the task is impossible. */
function giveUpAtOnce(calls: readonly Call[]): Variant[] {
  const ends = calls.filter(isFinishCall);
  const status = ends.at(-1)?.args["status"];
  return status === "impossible" ? [{ name: "give up at once", calls: ends, guess: true }] : [];
}

/** Makes the first writing call after a wait before it. */
function actBeforeWaiting(
  calls: readonly Call[],
  writes: readonly number[],
  wait: number,
): Variant[] {
  const next = writes.find((i) => i > wait);
  if (next === undefined) return [];
  const moved = calls.toSpliced(next, 1).toSpliced(wait, 0, calls[next]!);
  return [{ name: `too early: ${nameCall(calls[next]!)} before wait ${wait}`, calls: moved }];
}

function askDifferently(calls: readonly Call[], i: number): Variant[] {
  const call = calls[i]!;
  const name = `${nameCall(call)}(${JSON.stringify(call.args)})`;
  const end = calls.findLastIndex(isFinishCall);
  return [
    { name: `decide without ${name}`, calls: calls.toSpliced(i, 1) },
    { name: `asked twice: ${name}`, calls: calls.toSpliced(Math.max(i + 1, end), 0, call) },
  ];
}

const NEEDLESS_QUESTIONS = ["What is your favourite dish?", "Do you like rain?", "Are you well?"];

/** Asks the owner three things that do not matter, if the owner can be asked. */
function botherOwner(calls: readonly Call[]): Variant[] {
  const asked = calls.find(isAskCall);
  const end = calls.findLastIndex(isFinishCall);
  if (!asked || end < 0) return [];
  const bothers = NEEDLESS_QUESTIONS.map((question) => ({ ...asked, args: { question } }));
  return [{ name: "bothered needlessly", calls: calls.toSpliced(end, 0, ...bothers) }];
}

const nameCall = ({ app, api }: Call) => `${app}.${api}`;
