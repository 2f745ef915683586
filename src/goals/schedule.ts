/**
 * Which signature a scenario gets: difficulties in a fixed mixture, and within a difficulty the types of goals by turns,
 * each type going through its signatures in a shuffled order. So every prefix of a split is mixed alike.
 */
import { Rng } from "../core/index.ts";
import type { ComposedSplit, Difficulty } from "../spec/index.ts";
import type { Parts } from "./parts.ts";
import { type GoalShape, goalDifficulty } from "./shapes.ts";
import { assignSplit, enumerateGoals } from "./signatures.ts";

/** Of ten scenarios. */
const MIXTURE: { readonly [S in ComposedSplit]: readonly Difficulty[] } = {
  train: [1, 2, 3, 2, 3, 1, 2, 3, 2, 3],
  dev: [1, 2, 3, 2, 3, 1, 2, 3, 2, 3],
  "test-normal": [1, 2, 3, 2, 3, 1, 2, 3, 2, 3],
  "test-challenge": [2, 3, 3, 1, 3, 2, 3, 2, 3, 1],
};

const DIFFICULTIES: readonly Difficulty[] = [1, 2, 3];
/** A prime: what stands in for a signature that does not fit is not its neighbour's own turn. */
const STRIDE = 101;

/** A composition, and the split that owns it. */
interface Signature {
  readonly goal: GoalShape;
  readonly split: ComposedSplit;
}

/** The signatures of a world by split, and the order in which scenarios take them. */
export class SignatureSchedule {
  readonly #compose: () => readonly Signature[];
  #signatures: readonly Signature[] | undefined;
  readonly #queues = new Map<string, readonly GoalShape[]>();

  constructor(parts: readonly Parts[], challenge: readonly string[]) {
    this.#compose = () =>
      enumerateGoals(parts).map((goal) => ({ goal, split: assignSplit(goal, challenge) }));
  }

  /** Composed when first asked for: of a large world that takes half as long as loading it, and who documents it needs none. */
  get signatures(): readonly Signature[] {
    this.#signatures ??= this.#compose();
    return this.#signatures;
  }

  goalsOf(split: ComposedSplit): GoalShape[] {
    return this.signatures.filter((signature) => signature.split === split).map(({ goal }) => goal);
  }

  /** Scenario `index` of a split, and what to take instead when the population offers nothing for it. */
  *candidates(split: ComposedSplit, index: number): Generator<GoalShape> {
    const mixture = MIXTURE[split];
    const difficulty = mixture[index % mixture.length]!;
    const before = mixture.slice(0, index % mixture.length).filter((d) => d === difficulty).length;
    const perRound = mixture.filter((d) => d === difficulty).length;
    const turn = Math.floor(index / mixture.length) * perRound + before;
    for (const level of [difficulty, ...DIFFICULTIES.filter((other) => other !== difficulty)]) {
      const queue = this.#queue(split, level);
      for (let k = 0; k < queue.length; k++) yield queue[(turn + STRIDE * k) % queue.length]!;
    }
  }

  #queue(split: ComposedSplit, difficulty: Difficulty): readonly GoalShape[] {
    const key = `${split} ${difficulty}`;
    const known = this.#queues.get(key);
    if (known) return known;
    const goals = this.goalsOf(split).filter((goal) => goalDifficulty(goal) === difficulty);
    const queue = interleave(goals, new Rng(1).child(key));
    this.#queues.set(key, queue);
    return queue;
  }
}

/** Types by turns for as long as each lasts. */
function interleave(goals: readonly GoalShape[], rng: Rng): GoalShape[] {
  const types = [...new Set(goals.map(({ type }) => type))];
  const lists = types.map((type) =>
    rng.child(type).shuffle(goals.filter((goal) => goal.type === type)),
  );
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat();
}
