/** Computes what `held-out.ts` measures in a run's rollouts on a held-out split of `everyday/starter`. */
import { isPassed } from "../../src/algo/index.ts";
import type { Rollout } from "../../src/spec/index.ts";

/** A number of cases, out of `all`. */
export interface CountOfTotal {
  readonly count: number;
  readonly all: number;
}

export interface HeldOutMeasures {
  /** Passed tasks, of those whose every pair of selector and action occurs in training. */
  readonly trainedPairs: CountOfTotal;
  /** Passed tasks, of those with a pair that training lacks. */
  readonly newPairs: CountOfTotal;
  /** Rollouts that write a full name that they had not read, of those whose code has a full name as text. */
  readonly miscopied: CountOfTotal;
  /** Failed rollouts of signatures of which at most a third pass, of all failed rollouts. */
  readonly unmastered: CountOfTotal;
  /** The names of signatures of which at most a third pass, sorted. */
  readonly signatures: readonly string[];
}

/** Measures rollouts; `trained` has the pairs of the training tasks, as `listPairs` returns them. */
export function measureHeldOut(
  rollouts: readonly Rollout[],
  trained: ReadonlySet<string>,
): HeldOutMeasures {
  const isTrained = ({ task }: Rollout) =>
    listPairs(task.signature).every((pair) => trained.has(pair));
  const signatures = listUnmasteredSignatures(rollouts);
  const written = rollouts.map(listWrittenNames).filter((names) => names.length > 0);
  return {
    trainedPairs: countMatches(rollouts.filter(isTrained), isPassed),
    newPairs: countMatches(
      rollouts.filter((rollout) => !isTrained(rollout)),
      isPassed,
    ),
    miscopied: countMatches(written, (names) => names.some(({ read }) => !read)),
    unmastered: countMatches(
      rollouts.filter((rollout) => !isPassed(rollout)),
      ({ task }) => signatures.includes(task.signature),
    ),
    signatures,
  };
}

function listUnmasteredSignatures(rollouts: readonly Rollout[]): string[] {
  const signatures = [...new Set(rollouts.map(({ task }) => task.signature))].sort();
  return signatures.filter((signature) => {
    const rolloutsOfSignature = rollouts.filter(({ task }) => task.signature === signature);
    return rolloutsOfSignature.filter(isPassed).length <= rolloutsOfSignature.length / 3;
  });
}

/** Lists the pairs of a signature: `people.named > pay + mail` has `people.named > pay` and `people.named > mail`. */
export function listPairs(signature: string): string[] {
  const [selector, actions] = signature.split(" > ");
  if (actions === undefined)
    throw new Error(`expected a signature "selector > actions", got ${signature}`);
  return actions.split(" + ").map((action) => `${selector} > ${action}`);
}

const TEXT = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g;
const FULL_NAME = /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/u;

/** Lists texts in the code that begin like a full name, and whether the task or an earlier observation has them. */
function listWrittenNames({ task, turns }: Rollout): { name: string; read: boolean }[] {
  let seen = task.instruction;
  return turns.flatMap(({ code, observation }) => {
    const texts = [...code.matchAll(TEXT)].map(([, double, single]) => double ?? single ?? "");
    const names = texts
      .filter((text) => FULL_NAME.test(text))
      .map((name) => ({ name, read: hasWholeWords(seen, name) }));
    seen += `\n${observation}`;
    return names;
  });
}

/** Says whether `text` has `name` as whole words: "Una Orlova" does not have "Una Orlov". */
function hasWholeWords(text: string, name: string): boolean {
  return text
    .split(name)
    .slice(1)
    .some((after) => !/^\p{L}/u.test(after));
}

function countMatches<T>(of: readonly T[], holds: (one: T) => boolean): CountOfTotal {
  return { count: of.filter(holds).length, all: of.length };
}
