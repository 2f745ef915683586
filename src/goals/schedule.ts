/**
 * Decides which signature a scenario gets. Difficulties follow a fixed pattern. Within a difficulty, the types of goals
 * alternate, and each type uses its signatures in a shuffled order. So the first scenarios of a split have the same
 * mixture as all of them.
 */
import { Rng } from "../core/index.ts";
import type { ComposedSplit, Difficulty } from "../spec/index.ts";
import type { Parts } from "./parts.ts";
import { type GoalShape, goalDifficulty } from "./shapes.ts";
import { assignSplit, enumerateGoals } from "./signatures.ts";

/** The difficulties of ten successive scenarios. */
const MIXTURE: { readonly [S in ComposedSplit]: readonly Difficulty[] } = {
  train: [1, 2, 3, 2, 3, 1, 2, 3, 2, 3],
  dev: [1, 2, 3, 2, 3, 1, 2, 3, 2, 3],
  "test-normal": [1, 2, 3, 2, 3, 1, 2, 3, 2, 3],
  "test-challenge": [2, 3, 3, 1, 3, 2, 3, 2, 3, 1],
};

const DIFFICULTIES: readonly Difficulty[] = [1, 2, 3];
/**
 * The distance to the signature that replaces one which is not suitable. It is prime, so that neighbouring scenarios
 * get different ones.
 */
const STRIDE = 101;

/** The shape of a goal, and the split that it belongs to. */
interface Signature {
  readonly goal: GoalShape;
  readonly split: ComposedSplit;
}

/** The signatures of a world by split, and the order in which scenarios use them. */
export class SignatureSchedule {
  readonly #compose: () => readonly Signature[];
  #signatures: readonly Signature[] | undefined;
  readonly #queues = new Map<string, readonly GoalShape[]>();

  constructor(parts: readonly Parts[], challenge: readonly string[]) {
    this.#compose = () =>
      enumerateGoals(parts).map((goal) => ({ goal, split: assignSplit(goal, challenge) }));
  }

  /**
   * All signatures. They are composed when they are first used, because that takes half as long as loading a large
   * world.
   */
  get signatures(): readonly Signature[] {
    this.#signatures ??= this.#compose();
    return this.#signatures;
  }

  goalsOf(split: ComposedSplit): GoalShape[] {
    return this.signatures.filter((signature) => signature.split === split).map(({ goal }) => goal);
  }

  /**
   * Yields the shape for a scenario of a split, and then shapes to use when the population has nothing suitable for it.
   */
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
    const queue = interleaveTypes(goals, new Rng(1).child(key));
    this.#queues.set(key, queue);
    return queue;
  }
}

/**
 * Returns the type of a goal. Goals about what is in two groups, and about what belongs to each of several things, are
 * few beside the others, so they are types of their own.
 */
function typeOfGoal(goal: GoalShape): string {
  if (goal.type !== "act") return goal.type;
  if (goal.set.type === "combined") return `${goal.set.how} in two groups`;
  return goal.set.type === "related" &&
    goal.set.of.type !== "titled" &&
    goal.set.relation.wordsForEach
    ? "related to each"
    : "act";
}

/** Alternates between the types of goals, as long as each type has goals left. */
function interleaveTypes(goals: readonly GoalShape[], rng: Rng): GoalShape[] {
  const types = [...new Set(goals.map(typeOfGoal))];
  const lists = types.map((type) =>
    rng.child(type).shuffle(goals.filter((goal) => typeOfGoal(goal) === type)),
  );
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat();
}
