/**
 * Tasks of several sessions. Each session is a conversation of its own: the prompt has the session's instruction, and
 * nothing of what was said before is in it. In a rollout, each session begins a new row.
 */
import type { Demonstration, StepResult, TaskInfo } from "../spec/index.ts";

/** Returns the task as the agent sees it after a step: with the instruction of the next session if one begins. */
export function taskAfterStep(task: TaskInfo, { nextSession }: StepResult): TaskInfo {
  return nextSession ? { ...task, instruction: nextSession.instruction } : task;
}

/**
 * Splits a demonstration into its sessions, each a demonstration that ends when the session ends. A task of one session
 * gives the demonstration itself.
 */
export function splitIntoSessions(demonstration: Demonstration): readonly Demonstration[] {
  const sessions: Demonstration[] = [];
  let { task } = demonstration;
  let turns: Demonstration["turns"][number][] = [];
  for (const turn of demonstration.turns) {
    const { nextSession, ...result } = turn.result;
    turns.push(nextSession ? { ...turn, result: { ...result, finished: true } } : turn);
    if (!nextSession) continue;
    sessions.push({ ...demonstration, task, turns });
    task = taskAfterStep(task, turn.result);
    turns = [];
  }
  if (sessions.length === 0) return [demonstration];
  return turns.length === 0 ? sessions : [...sessions, { ...demonstration, task, turns }];
}
