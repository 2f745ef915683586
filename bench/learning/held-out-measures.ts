/** What `held-out.ts` measures of a run's rollouts on a held-out split of `everyday/starter`. */
import { isPassed } from "../../src/algo/index.ts";
import type { Rollout } from "../../src/spec/index.ts";

/** Of `all`, `count`. */
export interface Share {
  readonly count: number;
  readonly all: number;
}

export interface HeldOut {
  /** Passed, of the tasks whose every pair of the selector and one action some training task has. */
  readonly trainedPairs: Share;
  /** Passed, of the others. */
  readonly newPairs: Share;
  /** Of the rollouts whose code has a full name as text, those with one that they had read nowhere. */
  readonly miscopied: Share;
  /** Of the rollouts that failed, those of a signature of which at most a third pass. */
  readonly unmastered: Share;
  /** The names of these signatures, sorted. */
  readonly signatures: readonly string[];
}

/** `trained`: the pairs of the training tasks (`pairsOf`). */
export function heldOut(rollouts: readonly Rollout[], trained: ReadonlySet<string>): HeldOut {
  const isTrained = ({ task }: Rollout) =>
    pairsOf(task.signature).every((pair) => trained.has(pair));
  const signatures = unmasteredOf(rollouts);
  const written = rollouts.map(namesWritten).filter((names) => names.length > 0);
  return {
    trainedPairs: share(rollouts.filter(isTrained), isPassed),
    newPairs: share(
      rollouts.filter((rollout) => !isTrained(rollout)),
      isPassed,
    ),
    miscopied: share(written, (names) => names.some(({ read }) => !read)),
    unmastered: share(
      rollouts.filter((rollout) => !isPassed(rollout)),
      ({ task }) => signatures.includes(task.signature),
    ),
    signatures,
  };
}

function unmasteredOf(rollouts: readonly Rollout[]): string[] {
  const signatures = [...new Set(rollouts.map(({ task }) => task.signature))].sort();
  return signatures.filter((signature) => {
    const own = rollouts.filter(({ task }) => task.signature === signature);
    return own.filter(isPassed).length <= own.length / 3;
  });
}

/** Of a signature: `people.named > pay + mail` has `people.named > pay` and `people.named > mail`. */
export function pairsOf(signature: string): string[] {
  const [selector, actions] = signature.split(" > ");
  if (actions === undefined) throw new Error(`no signature of a selector: ${signature}`);
  return actions.split(" + ").map((action) => `${selector} > ${action}`);
}

const TEXT = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g;
const FULL_NAME = /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/u;

/** Texts in the code of a rollout that begin as a full name does, and whether the task or an observation before had them. */
function namesWritten({ task, turns }: Rollout): { name: string; read: boolean }[] {
  let seen = task.instruction;
  return turns.flatMap(({ code, observation }) => {
    const texts = [...code.matchAll(TEXT)].map(([, double, single]) => double ?? single ?? "");
    const names = texts
      .filter((text) => FULL_NAME.test(text))
      .map((name) => ({ name, read: hasWhole(seen, name) }));
    seen += `\n${observation}`;
    return names;
  });
}

/** "Una Orlov" is no part of "Una Orlova". */
function hasWhole(text: string, name: string): boolean {
  return text
    .split(name)
    .slice(1)
    .some((after) => !/^\p{L}/u.test(after));
}

function share<T>(of: readonly T[], holds: (one: T) => boolean): Share {
  return { count: of.filter(holds).length, all: of.length };
}
