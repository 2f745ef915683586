/**
 * From a signature to a task: words, start rows, intended changes and the solution program, all from one draw.
 *
 * Surface forms: every part has three. Training and dev use six of the nine pairs of (sentence, noun phrase), the test
 * splits the other three, so a test instruction is worded in a way that its parts never were together.
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
import type { Draw, Effect, Selection } from "./parts.ts";
import type { Signature } from "./signatures.ts";

const COUNT_FRAMES: Effect["frames"] = [
  (noun) => `Count ${noun} and answer with the number`,
  (noun) => `Tell me the size of this set: ${noun}`,
  (noun) => `Answer with how many there are: ${noun}`,
];

/** Which of three sentences and three noun phrases: `held out` pairs are those with sum 2 modulo 3. */
export function surfaceForm(rng: Rng, split: Split): { frame: number; noun: number } {
  const frame = rng.integer(0, 2);
  const residue = split.startsWith("test") ? 2 : rng.integer(0, 1);
  return { frame, noun: (residue - frame + 3) % 3 };
}

function instructionOf(draw: Draw, selection: Selection, effects: readonly Effect[]): string {
  const { frame, noun } = surfaceForm(draw.rng.child("form"), draw.split);
  const [first, second] = effects;
  const sentence = (first?.frames ?? COUNT_FRAMES)[frame]!(selection.nouns[noun]!);
  if (!second) return `${sentence}.`;
  const also = second.frames[frame]!("them");
  return `${sentence}, and also ${also[0]!.toLowerCase()}${also.slice(1)}.`;
}

/** The program: select, then for each action what it needs and its loop, then finish. */
export function* solve(
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

export function composeTask(signature: Signature, draw: Draw): Task {
  const selection = signature.selector.draw({ ...draw, rng: draw.rng.child("selection") });
  // Two actions commute, so either may be named first; a hasty agent then forgets the other.
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
    instruction: instructionOf(draw, selection, effects),
    setup,
    goal,
    solution: (context) => solve(selection, effects, context),
  };
}
