/**
 * Makes a task from a chain of steps. The words, start rows, intended changes and solution all come from one draw.
 *
 * A hasty demonstration does each step hastily with probability one half, and at least one step. Suppose that an errand
 * has k steps, and that a share of 1 - 2^-k of the demonstrations is hasty. Then each step of all demonstrations is
 * careful independently of the others, and a policy that imitates the demonstrations does all steps right with
 * probability 2^-k.
 */
import type { GoalOutcome, Rng, SolutionContext, StepResult, Task, Writer } from "bowline/world";
import type { DrawContext } from "../goals/algebra.ts";
import { drawSurfaceForm } from "../goals/compose.ts";
import { type ChainTexts, drawChainTexts } from "./chain-texts.ts";
import { chainSignature } from "./chains.ts";
import type { Action, RightAndWrongText, Step } from "./step-types.ts";

interface Errand {
  readonly chain: readonly Step[];
  readonly chainTexts: ChainTexts;
  readonly effects: readonly ReturnType<Action["draw"]>[];
}

export function composeErrand(chain: readonly Step[], draw: DrawContext): Task {
  const chainTexts = drawChainTexts({ ...draw, rng: draw.rng.child("cast") }, chain);
  const effects = chain.map(({ action }) =>
    action.draw({ ...draw, rng: draw.rng.child(action.kind).child(action.name) }),
  );
  const errand = { chain, chainTexts, effects };
  return {
    signature: chainSignature(chain),
    difficulty: chain.length === 1 ? 1 : chain.length < 4 ? 2 : 3,
    instruction: makeInstruction(draw, errand),
    setup: (db) => insertStartRows(db, draw, errand),
    goal: (db) => applyGoal(db, errand),
    solution: (context) => solutionCells(errand, context),
  };
}

/**
 * Inserts the rows of each step in turn, so later steps have newer rows. For each step, the row of the wrong chain is
 * inserted first, so a list in order of ids shows it first.
 */
function insertStartRows(
  db: Writer,
  draw: DrawContext,
  { chain, chainTexts, effects }: Errand,
): void {
  chainTexts.setup(db);
  for (const effect of effects) effect.setup?.(db);
  for (const [i, { finder }] of chain.entries()) {
    for (const side of ["wrong", "right"] as const) {
      const rng = draw.rng.child("rows").child(i).child(side);
      const next = chainTexts.texts[i + 1]!;
      const key = chainTexts.texts[i]![side];
      const decoy = chooseDecoyText(rng, finder.kind === "person", side, next);
      finder.plant({
        db,
        key,
        text: next[side],
        decoyText: decoy,
        rng,
        pickSender: () => rng.pick(chainTexts.otherPeople),
      });
    }
  }
}

/**
 * Chooses the text of a decoy. Half of the decoys have the same text as the right thing, so that taking the decoy
 * spoils only this step.
 */
function chooseDecoyText(
  rng: Rng,
  isPerson: boolean,
  side: keyof RightAndWrongText,
  next: RightAndWrongText,
): string {
  return side === "right" && !isPerson && rng.chance(0.5) ? next.right : next.wrong;
}

/** Makes the intended changes on tables. It finds the thing of each step by the text from the step before. */
function applyGoal(db: Writer, { chain, chainTexts, effects }: Errand): GoalOutcome {
  let key = chainTexts.texts[0]!.right;
  let answer = "";
  for (const [i, { finder }] of chain.entries()) {
    const id = finder.locate(db, key);
    key = finder.textFromTables(db, id);
    answer = finder.answer?.fromTables(db, id) ?? key;
    effects[i]!.apply(db, id);
  }
  return { answer };
}

/**
 * Yields the cells of the solution. Each step finds a thing, reads it and acts on it. The text that the last step reads
 * is the answer.
 */
function* solutionCells(
  { chain, chainTexts, effects }: Errand,
  { style, rng }: SolutionContext,
): Generator<string, void, StepResult> {
  const hasty = style === "hasty" ? drawHastySteps(rng, chain.length) : [];
  let start = `var t="${chainTexts.texts[0]!.right}";`;
  for (const [i, { finder }] of chain.entries()) {
    for (const cell of finder.cells(hasty[i] ? "hasty" : "careful")) {
      yield `${start}${cell}`;
      start = "";
    }
    const read =
      i === chain.length - 1 ? (finder.answer?.code ?? finder.textCode) : finder.textCode;
    yield `t=${read};print(t)`;
    yield effects[i]!.code;
  }
  yield "apis.me.finishTask({answer:t})";
}

/** Draws each step as hasty with probability one half, and draws again until at least one is hasty. */
function drawHastySteps(rng: Rng, count: number): boolean[] {
  for (;;) {
    const steps = Array.from({ length: count }, () => rng.chance(0.5));
    if (steps.includes(true)) return steps;
  }
}

function makeInstruction(draw: DrawContext, { chain, chainTexts, effects }: Errand): string {
  const sentences = chain.map(({ finder }, i) => {
    const { frame, noun } = drawSurfaceForm(draw.rng.child("form").child(i), draw.split);
    const key =
      i === 0 ? firstKeyPhrase(chain[0]!, chainTexts.texts[0]!.right) : laterKeyPhrase(chain, i);
    const sentence = effects[i]!.frames[frame]!(finder.nouns[noun]!(key));
    return i === 0 ? `${sentence[0]!.toUpperCase()}${sentence.slice(1)}` : `Then ${sentence}`;
  });
  return [...sentences, `Answer with ${chain.at(-1)!.finder.answerPhrase}`]
    .map((s) => `${s}.`)
    .join(" ");
}

function firstKeyPhrase({ finder }: Step, text: string): string {
  if (finder.keyKind === "name") return text;
  return finder.keyName ? `the ${finder.keyName} "${text}"` : `"${text}"`;
}

function laterKeyPhrase(chain: readonly Step[], i: number): string {
  const { keyKind, keyName = "topic" } = chain[i]!.finder;
  if (keyKind === "topic") return `the ${keyName} it names`;
  return chain[i - 1]!.finder.kind === "person" ? "the same person" : "the person it names";
}
