/** Computes the measures of `held-out.ts` from a run's rollouts on a test split of `everyday/starter`. */
import { isPassed } from "../../src/algo/index.ts";
import type { Rollout } from "../../src/spec/index.ts";

/** A number of cases, and the number of all cases. */
export interface CountOfTotal {
  readonly count: number;
  readonly all: number;
}

export interface HeldOutMeasures {
  /** How many tasks passed, among tasks whose pairs of selector and action all occur in training. */
  readonly trainedPairs: CountOfTotal;
  /** How many tasks passed, among tasks with a pair of selector and action that training lacks. */
  readonly newPairs: CountOfTotal;
  /** How many rollouts write a full name that they had not read, among rollouts whose code contains a full name. */
  readonly miscopied: CountOfTotal;
  /**
   * How many failed rollouts belong to a signature of which at most a third of the rollouts pass, among all failed
   * rollouts.
   */
  readonly unmastered: CountOfTotal;
  /** The names of signatures of which at most a third of the rollouts pass, sorted. */
  readonly signatures: readonly string[];
}

/**
 * Measures rollouts. `trained` contains the pairs of selector and action of the training tasks, as `listPairs` returns
 * them.
 */
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

/**
 * Lists texts in a rollout's code that look like a full name, and says of each whether the task or an earlier
 * observation contains it.
 */
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
