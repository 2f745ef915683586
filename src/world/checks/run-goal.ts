/** Runs a task's goal on a copy of its start state, among the actors of the world if it has any. */
import { Scene, type Stage } from "../actors/index.ts";
import { addMinutes } from "../api/clock.ts";
import {
  type GoalOutcome,
  type GoalTime,
  type HistoryEntry,
  NO_TIME,
  type Task,
} from "../define.ts";
import type { TableState } from "../state/index.ts";

/** The actors of a goal, with the instant at which the episode starts. */
export type GoalStage = Stage & { readonly now: string };

export interface GoalRun {
  readonly outcome: GoalOutcome;
  /** The state that the goal wants. */
  readonly end: TableState;
  /** Who wrote what; undefined in a world without actors. */
  readonly history?: readonly HistoryEntry[];
}

export function runGoal(start: TableState, goal: Task["goal"], stage?: GoalStage): GoalRun {
  const end = start.clone();
  if (!stage) {
    const outcome = end.transaction((db) => goal(db, NO_TIME)).value ?? {};
    return { outcome, end };
  }
  const scene = new Scene(stage, end, []);
  let { now } = stage;
  const time: GoalTime = {
    now: () => now,
    wait: (minutes) => {
      scene.noteAgent(now);
      now = scene.runDue(addMinutes(now, minutes));
    },
  };
  const outcome = end.transaction((db) => {
    scene.runDue(now);
    const wanted = goal(db, time);
    scene.noteAgent(now);
    return wanted;
  }).value;
  return { outcome: outcome ?? {}, end, history: scene.entries };
}
