/** Checks tasks that are composed only of some parts, in a world of a few apps. The tests of an app's parts use it. */

import {
  composeScenario,
  enumerateGoals,
  type GoalShape,
  type Parts,
  signatureOfGoal,
} from "bowline/goals";
import { WorldUnderTest } from "bowline/testing";
import { type App, accounts, defineWorld, hash32 } from "bowline/world";
import { LANGUAGE } from "../language.ts";
import { makeLife } from "../life/life.ts";
import { NOW, peopleOf } from "../population.ts";
import type { TraceWriters } from "./app-fixture.ts";
import { OWNER } from "./owner.ts";

export interface PartsReport {
  /** The number of tasks that could be composed. Goals for which the population has no suitable rows are left out. */
  readonly tasks: number;
  /** A text for each unsound task: its instruction, and what is wrong with it. */
  readonly failures: readonly string[];
}

export async function proveParts(
  parts: Parts,
  apps: readonly App[],
  traces: TraceWriters,
  count: number,
): Promise<PartsReport> {
  const shapes = sampleShapes(enumerateGoals([parts]), count);
  const world = new WorldUnderTest(makeWorld(shapes, apps, traces), 1);
  const failures: string[] = [];
  let tasks = 0;
  for (const index of shapes.keys()) {
    const [info] = findTaskOfShape(world, index);
    if (!info) continue;
    tasks++;
    const report = await world.check(info.id);
    const { solutionPass, noopFail, survivors, why } = report;
    if (solutionPass && noopFail && survivors.length === 0) continue;
    const mutants = survivors.map(({ mutant }) => mutant).join("; ");
    failures.push(
      `${info.instruction}: ${why ?? (noopFail ? mutants : "passes with nothing done")}`,
    );
  }
  return { tasks, failures };
}

function findTaskOfShape(world: WorldUnderTest, index: number) {
  try {
    const { info } = world.findTask(`train/${index}/1`);
    return [info];
  } catch (error) {
    if (String(error).includes(NOTHING_OFFERED)) return [];
    throw error;
  }
}

const NOTHING_OFFERED = "the population offers nothing";

/** Chooses a sample of goals of all types, which is the same in every run. */
function sampleShapes(shapes: readonly GoalShape[], count: number): GoalShape[] {
  const key = new Map(shapes.map((shape) => [shape, hash32(`sample ${signatureOfGoal(shape)}`)]));
  return shapes.toSorted((a, b) => key.get(a)! - key.get(b)!).slice(0, count);
}

function makeWorld(shapes: readonly GoalShape[], apps: readonly App[], traces: TraceWriters) {
  const logins = new Set(apps.filter(({ login }) => login).map(({ name }) => name));
  return defineWorld({
    name: "parts",
    now: NOW,
    apps,
    scenarios: { train: shapes.length },
    populate: (db, rng) => {
      const life = makeLife(db, rng.child("life"));
      for (const [i, add] of traces.entries()) add(db, rng.child(i), life);
      for (const app of logins) {
        db.insert(accounts, { app, username: OWNER.email, password: `secret ${app}` });
      }
      return OWNER;
    },
    scenario: ({ index, base, rng, scratch }) => {
      const split = "train" as const;
      const people = peopleOf(base, split);
      const language = LANGUAGE;
      const dials = { paraphrase: 0, logins, shortSessions: false };
      const request = { rng, split, people, language, scratch, ...dials };
      const tasks = composeScenario(request, shapes[index]!);
      if (!tasks) throw new Error(NOTHING_OFFERED);
      return tasks;
    },
  });
}
