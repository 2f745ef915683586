/**
 * What is done to a set: effects, as steps that can be tried. The order of a goal's parts must not matter. So a plan is
 * refused when a step is not legal, when a step makes another one illegal, or when the outcome depends on the order.
 */
import { qualifiedName } from "./claims.ts";
import { type Attempt, applySetup, makeDrawContext, NothingToDraw, requireDrawn } from "./draw.ts";
import type { DrawnGoal, GoalStep } from "./drawn-goal.ts";
import { carefulCells, valueCells } from "./drawn-set.ts";
import type { Action, Effect, Source } from "./parts.ts";
import { introduceLookedUp } from "./words.ts";

export function drawEffect(
  attempt: Attempt,
  path: string,
  action: Action,
  source?: Source,
): Effect {
  const own = source?.type === action.takes ? source : undefined;
  const draw = makeDrawContext(attempt, `${path}.${action.name}`, own, qualifiedName(action));
  const effect = requireDrawn(action.draw(draw));
  for (const { setup } of effect.uses ?? []) applySetup(attempt, setup);
  applySetup(attempt, effect.setup);
  const frames = effect.frames.map(
    (frame) => (noun: string) => sayLookedUp(frame(noun), own, effect.uses),
  );
  return { ...effect, frames: frames as unknown as Effect["frames"] };
}

/** Says a sentence with a value that is looked up in a source. */
export function sayLookedUp(
  sentence: string,
  source: Source | undefined,
  uses: Effect["uses"] = [],
): string {
  return source
    ? uses.reduce((text, value) => introduceLookedUp(text, value.words), sentence)
    : sentence;
}

export function makeStep(effect: Effect, ids: readonly number[]): GoalStep {
  return {
    isLegal: (db) => ids.every((id) => effect.permits?.(db, id) ?? true),
    run: (db) => {
      for (const id of ids) effect.apply(db, id);
    },
  };
}

/** Gives up the attempt unless all steps are legal in both orders and lead to the same outcome. */
export function refuseConflicts(attempt: Attempt, plan: DrawnGoal["plan"]): void {
  const steps = plan(attempt.db);
  if (!steps.every(({ isLegal }) => isLegal(attempt.db))) throw new NothingToDraw();
  if (steps.length < 2) return;
  const [forwards, backwards] = [steps, steps.toReversed()].map((order) =>
    describeOutcome(attempt, order),
  );
  if (forwards !== backwards) throw new NothingToDraw();
}

/** Describes what the steps leave behind. The text does not depend on the ids of new rows. */
export function describeOutcome(attempt: Attempt, steps: readonly GoalStep[]): string {
  const db = attempt.fresh();
  for (const { isLegal, run } of steps) {
    if (!isLegal(db)) throw new NothingToDraw();
    run(db);
  }
  const changes = db.changes();
  const created = new Set(changes.filter(({ kind }) => kind === "insert").map(({ id }) => id));
  const lines = changes.map(({ table, id, kind, after }) => {
    const cells = Object.entries(after ?? {}).map(([column, cell]) =>
      column === "id" || created.has(cell as number) ? [column] : [column, cell],
    );
    return JSON.stringify([table, kind, kind === "insert" ? 0 : id, cells]);
  });
  return lines.sort().join("\n");
}

export function effectCells(effect: Effect, keys: string): string[] {
  const before = carefulCells(valueCells(effect.uses ?? []));
  return [...before, `for(const x of ${keys}){${effect.call("x")}}`];
}
