/**
 * The world of the study "seventy-two tasks": `everyday/starter` with luck as a dial. Luck is the share of tasks that
 * the hasty program solves.
 *
 * The hasty program has one habit here, which is in the selection: it reads only the first page, or takes the first
 * person with the right first name. Everything after the selection is careful. The habit is right when the set fits on
 * a page and the first person found is the right one. No instruction shows that, because it depends on hidden rows. So
 * a policy cannot know in which tasks haste is safe, except by remembering the task.
 *
 * Each task is lucky with the probability `luck`, whatever its split and its signature. It is drawn again until the
 * rows are so. The senders of unread messages are left out as a selection, because one sender wrote twice, so the hasty
 * program is never right for them.
 */
import {
  defineWorld,
  type Reader,
  Rng,
  type ScenarioRequest,
  type Scratch,
  type Task,
  type WorldDefinition,
} from "bowline/world";
import { matchByName } from "../../../worlds/everyday/apps/contacts/index.ts";
import { people } from "../../../worlds/everyday/apps/index.ts";
import type { DrawContext, Selection } from "../../../worlds/everyday/goals/algebra.ts";
import { composeTask } from "../../../worlds/everyday/goals/compose.ts";
import { type Signature, signaturesOf } from "../../../worlds/everyday/goals/signatures.ts";
import { peopleOf } from "../../../worlds/everyday/population.ts";
import starter from "../../../worlds/everyday/starter.ts";

/** The number of rows on a page of a list. */
const PAGE_ROWS = 5;
/** A group or a city of the population cannot be drawn with another size, so a draw may never become as wanted. */
const MAX_DRAWS = 60;

/** Defines `everyday/starter` with the given luck, from 0 to 1. */
export function defineLuckyStarter(luck: number): WorldDefinition {
  return defineWorld({
    ...starter,
    name: `everyday/starter with ${Math.round(100 * luck)}% luck`,
    scenario: (request) => makeScenario(request, luck),
  });
}

function makeScenario(request: ScenarioRequest, luck: number): readonly [Task, Task, Task] {
  const { split, index, base, rng } = request;
  const cycle = signaturesOf(split).filter(({ selector }) => selector.name !== "people.unread");
  const order = new Rng(Math.floor(index / cycle.length)).child(split).shuffle(cycle);
  const signature = order[index % cycle.length]!;
  const people = peopleOf(base, split);
  const task = (variant: number) =>
    drawTask(signature, { rng: rng.child(variant), split, base, people }, request.scratch, luck);
  return [task(1), task(2), task(3)];
}

/** Draws a task again and again until the hasty program is right, or wrong, as luck wants it. */
function drawTask(
  signature: Signature,
  context: DrawContext,
  scratch: () => Scratch,
  luck: number,
): Task {
  const wantsLuck = context.rng.child("luck").chance(luck);
  for (let attempt = 0; ; attempt++) {
    const draw = { ...context, rng: context.rng.child(`draw ${attempt}`) };
    const task = composeTask(signature, draw);
    const selection = signature.selector.draw({ ...draw, rng: draw.rng.child("selection") });
    const db = scratch();
    task.setup?.(db, () => {});
    const isLucky = isHastyRight(selection, db);
    if (isLucky === wantsLuck || attempt === MAX_DRAWS) return withOneHabit(task, selection);
  }
}

/** Returns true if the hasty cells of a selection select the right rows. */
function isHastyRight(selection: Selection, db: Reader): boolean {
  return selection.cells.every((cell) => {
    const [found, wanted] = [findSearchedName(cell("hasty")), findSearchedName(cell("careful"))];
    if (wanted === undefined || found === undefined) return selection.ids(db).length <= PAGE_ROWS;
    const [first] = matchByName(db.all(people), found)
      .map(({ name }) => name)
      .sort();
    return first === wanted;
  });
}

/** Returns the name that a cell looks up among the contacts; undefined if the cell reads pages of a list. */
function findSearchedName(code: string): string | undefined {
  return /contacts\.find\(\{name:"([^"]*)"/.exec(code)?.[1];
}

/** Gives a task a hasty program whose only habit is in the selection. */
function withOneHabit(task: Task, { cells }: Selection): Task {
  const { solution } = task;
  return {
    ...task,
    *solution(context): ReturnType<NonNullable<Task["solution"]>> {
      const careful = solution!({ ...context, style: "careful" });
      let step = careful.next();
      if (context.style === "hasty") {
        for (const cell of cells) step = careful.next(yield cell("hasty"));
      }
      while (!step.done) step = careful.next(yield step.value);
    },
  };
}
