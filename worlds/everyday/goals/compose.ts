/**
 * Makes a task from a signature: the instruction, the start rows, the intended changes and the solution program all
 * come from one draw.
 *
 * Every part has three wordings. Training and dev use six of the nine pairs of a sentence and a noun phrase, and the
 * test splits use the other three. So a test instruction combines words that never occur together in training.
 */
import type {
  GoalOutcome,
  Rng,
  SolutionContext,
  Split,
  StepResult,
  Task,
  Writer,
} from "bowline/world";
import type { DrawContext, Effect, Selection } from "./algebra.ts";
import type { Signature } from "./signatures.ts";

const COUNT_FRAMES: Effect["frames"] = [
  (noun) => `Count ${noun} and answer with the number`,
  (noun) => `Tell me the size of this set: ${noun}`,
  (noun) => `Answer with how many there are: ${noun}`,
];

/**
 * Draws which of three sentences and which of three noun phrases are used. The pairs whose sum is 2 modulo 3 are kept
 * for the test splits.
 */
export function drawSurfaceForm(rng: Rng, split: Split): { frame: number; noun: number } {
  const frame = rng.integer(0, 2);
  const residue = split.startsWith("test") ? 2 : rng.integer(0, 1);
  return { frame, noun: (residue - frame + 3) % 3 };
}

function makeInstruction(
  draw: DrawContext,
  selection: Selection,
  effects: readonly Effect[],
): string {
  const { frame, noun } = drawSurfaceForm(draw.rng.child("form"), draw.split);
  const [first, second] = effects;
  const sentence = (first?.frames ?? COUNT_FRAMES)[frame]!(selection.nouns[noun]!);
  if (!second) return `${sentence}.`;
  const also = second.frames[frame]!("them");
  return `${sentence}, and also ${also[0]!.toLowerCase()}${also.slice(1)}.`;
}

/**
 * Yields the cells of the solution program: first the selection, then for each action what it needs and its loop, and
 * at last the call that finishes the task.
 */
export function* solutionCells(
  selection: Selection,
  effects: readonly Effect[],
  { style }: SolutionContext,
): Generator<string, void, StepResult> {
  for (const cell of selection.cells) yield cell(style);
  for (const effect of style === "hasty" ? effects.slice(0, 1) : effects) {
    for (const prelude of effect.prelude ?? []) {
      const cell = prelude(style);
      if (cell) yield cell;
    }
    yield `s.forEach(x=>${effect.call(style)})`;
  }
  yield effects.length > 0 ? "apis.me.finishTask()" : "apis.me.finishTask({answer:s.length})";
}

export function composeTask(signature: Signature, draw: DrawContext): Task {
  const selection = signature.selector.draw({ ...draw, rng: draw.rng.child("selection") });
  // Two actions can be done in either order, so the instruction may name either of them first. The hasty solution
  // forgets the second one.
  const order = draw.rng.child("order").shuffle(signature.actions);
  const effects = order.map((action) => action.draw({ ...draw, rng: draw.rng.child(action.name) }));
  const setup = (db: Writer) => {
    selection.setup?.(db);
    for (const effect of effects) effect.setup?.(db);
  };
  const goal = (db: Writer): GoalOutcome | undefined => {
    const ids = [...selection.ids(db)];
    for (const effect of effects) for (const id of ids) effect.apply(db, id);
    return effects.length > 0 ? undefined : { answer: ids.length };
  };
  return {
    signature: signature.name,
    difficulty: signature.difficulty,
    instruction: makeInstruction(draw, selection, effects),
    setup,
    goal,
    solution: (context) => solutionCells(selection, effects, context),
  };
}
