/**
 * From a chain to a task: words, start rows, intended changes and the solution, all from one draw.
 *
 * A hasty demonstration is hasty at a random choice of its steps: each with probability one half, at least at one. So
 * where a share of 1 - 2^-k of demonstrations is hasty, the steps of an errand of k are careful independently of each
 * other, and a policy that imitates them does all of them right with probability 2^-k.
 */
import type { GoalOutcome, Rng, SolutionContext, StepResult, Task, Writer } from "bowline/world";
import type { DrawContext } from "../goals/algebra.ts";
import { drawSurfaceForm } from "../goals/compose.ts";
import { type Cast, castChain } from "./cast.ts";
import { nameOf } from "./chains.ts";
import type { Action, Fork, Step } from "./parts.ts";

interface Errand {
  readonly chain: readonly Step[];
  readonly cast: Cast;
  readonly effects: readonly ReturnType<Action["draw"]>[];
}

export function composeErrand(chain: readonly Step[], draw: DrawContext): Task {
  const cast = castChain({ ...draw, rng: draw.rng.child("cast") }, chain);
  const effects = chain.map(({ action }) =>
    action.draw({ ...draw, rng: draw.rng.child(action.kind).child(action.name) }),
  );
  const errand = { chain, cast, effects };
  return {
    signature: nameOf(chain),
    difficulty: chain.length === 1 ? 1 : chain.length < 4 ? 2 : 3,
    instruction: instructionOf(draw, errand),
    setup: (db) => setUp(db, draw, errand),
    goal: (db) => goalOf(db, errand),
    solution: (context) => solve(errand, context),
  };
}

/** A step after the other, so later rows are newer; of each the wrong chain first, so listed by id it comes first. */
function setUp(db: Writer, draw: DrawContext, { chain, cast, effects }: Errand): void {
  cast.setup(db);
  for (const effect of effects) effect.setup?.(db);
  for (const [i, { finder }] of chain.entries()) {
    for (const side of ["wrong", "right"] as const) {
      const rng = draw.rng.child("rows").child(i).child(side);
      const next = cast.texts[i + 1]!;
      const key = cast.texts[i]![side];
      const decoy = decoySays(rng, finder.kind === "person", side, next);
      finder.plant({ db, key, says: next[side], decoy, rng, anyone: () => rng.pick(cast.others) });
    }
  }
}

/** Half of the decoys say what the right thing says: taking one spoils its own step and no other. */
function decoySays(rng: Rng, person: boolean, side: keyof Fork, next: Fork): string {
  return side === "right" && !person && rng.chance(0.5) ? next.right : next.wrong;
}

/** On tables alone: what each step finds is looked up by what the one before it said. */
function goalOf(db: Writer, { chain, cast, effects }: Errand): GoalOutcome {
  let key = cast.texts[0]!.right;
  let answer = "";
  for (const [i, { finder }] of chain.entries()) {
    const id = finder.locate(db, key);
    key = finder.carried(db, id);
    answer = finder.answer?.of(db, id) ?? key;
    effects[i]!.apply(db, id);
  }
  return { answer };
}

/** Find, read, act; a step after the other, and the last reading is the answer. */
function* solve(
  { chain, cast, effects }: Errand,
  { style, rng }: SolutionContext,
): Generator<string, void, StepResult> {
  const hasty = style === "hasty" ? hastySteps(rng, chain.length) : [];
  let start = `var t="${cast.texts[0]!.right}";`;
  for (const [i, { finder }] of chain.entries()) {
    for (const cell of finder.cells(hasty[i] ? "hasty" : "careful")) {
      yield `${start}${cell}`;
      start = "";
    }
    const read = i === chain.length - 1 ? (finder.answer?.read ?? finder.read) : finder.read;
    yield `t=${read};print(t)`;
    yield effects[i]!.code;
  }
  yield "apis.me.finishTask({answer:t})";
}

/** Each with probability one half, drawn again until there is one. */
function hastySteps(rng: Rng, count: number): boolean[] {
  for (;;) {
    const steps = Array.from({ length: count }, () => rng.chance(0.5));
    if (steps.includes(true)) return steps;
  }
}

function instructionOf(draw: DrawContext, { chain, cast, effects }: Errand): string {
  const sentences = chain.map(({ finder }, i) => {
    const { frame, noun } = drawSurfaceForm(draw.rng.child("form").child(i), draw.split);
    const key = i === 0 ? firstKey(chain[0]!, cast.texts[0]!.right) : laterKey(chain, i);
    const sentence = effects[i]!.frames[frame]!(finder.nouns[noun]!(key));
    return i === 0 ? `${sentence[0]!.toUpperCase()}${sentence.slice(1)}` : `Then ${sentence}`;
  });
  return [...sentences, `Answer with ${chain.at(-1)!.finder.asks}`].map((s) => `${s}.`).join(" ");
}

function firstKey({ finder }: Step, text: string): string {
  if (finder.takes === "name") return text;
  return finder.role ? `the ${finder.role} "${text}"` : `"${text}"`;
}

function laterKey(chain: readonly Step[], i: number): string {
  const { takes, role = "topic" } = chain[i]!.finder;
  if (takes === "topic") return `the ${role} it names`;
  return chain[i - 1]!.finder.kind === "person" ? "the same person" : "the person it names";
}
