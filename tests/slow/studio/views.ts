/** Lists every view of the page with an address and texts that it shows only if it works. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolloutSchema } from "../../../src/spec/index.ts";
import { RUN_NAMES } from "./stage.ts";

export interface ViewCase {
  readonly name: string;
  readonly path: string;
  /** Texts that the main element of the page must contain. */
  readonly shows: readonly (string | RegExp)[];
}

export const RUN = RUN_NAMES[0];
/** The file of an iteration with mixed groups. */
export const FILE = "train-0008";

/**
 * Finds a rollout of `FILE` that passed while another rollout of its group failed. Of these, it returns the one with
 * the most turns.
 */
export function findInstructiveRollout(runs: string) {
  const rollouts = readFileOfRun(runs);
  const failed = new Set(
    rollouts.filter((one) => !one.evaluation?.passed).map(({ task }) => task.id),
  );
  const found = rollouts
    .filter(({ evaluation, task }) => evaluation?.passed && failed.has(task.id))
    .sort((a, b) => b.turns.length - a.turns.length)[0];
  if (!found) throw new Error("no group of the run is mixed");
  return found;
}

/** Finds a rollout of `FILE` that did not pass. */
export function findFailedRollout(runs: string) {
  const found = readFileOfRun(runs).find(({ evaluation }) => evaluation && !evaluation.passed);
  if (!found) throw new Error("every rollout passed");
  return found;
}

function readFileOfRun(runs: string) {
  return readFileSync(join(runs, RUN, "rollouts", `${FILE}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => rolloutSchema.parse(JSON.parse(line)));
}

const buildPath = (...parts: readonly string[]) => `/${parts.map(encodeURIComponent).join("/")}`;

export const runPath = (run: string) => buildPath("runs", run);
export const filePath = (run: string, file: string) => buildPath("runs", run, "files", file);
export const groupPath = (run: string, file: string, task: string) =>
  buildPath("runs", run, "files", file, "groups", task);
export const rolloutPath = (run: string, file: string, rollout: string) =>
  buildPath("runs", run, "files", file, "rollouts", rollout);

export function listViews(runs: string): readonly ViewCase[] {
  const { id, task } = findInstructiveRollout(runs);
  return [
    { name: "runs", path: "/", shows: [...RUN_NAMES, "loop", "finished"] },
    { name: "run", path: runPath(RUN), shows: ["Curves", "mean return", "Finished"] },
    { name: "run-grid", path: `${runPath(RUN)}?view=grid`, shows: [/all passed/i] },
    {
      name: "explore",
      path: `/explore?run=${RUN}&q=passed:no`,
      shows: [/\d+ of \d+ rollouts/, "✗"],
    },
    { name: "explore-tasks", path: `/explore?run=${RUN}&group=task&sort=time`, shows: [task.id] },
    { name: "explore-changes", path: `/explore?run=${RUN}&group=use`, shows: ["More often"] },
    {
      name: "run-configuration",
      path: `${runPath(RUN)}?view=configuration`,
      shows: ["algo.groupSize"],
    },
    { name: "run-forks", path: `${runPath(RUN)}?view=forks`, shows: ["There is no fork yet"] },
    { name: "file", path: filePath(RUN, FILE), shows: [task.id] },
    { name: "group", path: groupPath(RUN, FILE, task.id), shows: [task.id, /turn 1/i] },
    { name: "rollout", path: rolloutPath(RUN, FILE, id), shows: [task.id, /turn 1/i] },
    {
      name: "rollout-tokens",
      path: `${rolloutPath(RUN, FILE, id)}?tab=tokens`,
      shows: [/log-prob/i, /advantage/i],
    },
    {
      name: "rollout-state",
      path: `${rolloutPath(RUN, FILE, id)}?tab=state`,
      shows: ["Intended changes that were made", "nothing else changed"],
    },
    { name: "rollout-raw", path: `${rolloutPath(RUN, FILE, id)}?tab=raw`, shows: ["logprobs"] },
    {
      name: "overlay",
      path: `/overlay?run=${RUN_NAMES[0]}&run=${RUN_NAMES[1]}`,
      shows: ["run.seed"],
    },
    { name: "behaviour", path: `${runPath(RUN)}/behaviour`, shows: ["turns", "before"] },
    { name: "worlds", path: "/worlds", shows: ["toy"] },
    { name: "world", path: "/worlds/toy?seed=1", shows: ["shelf", "Ida Toy"] },
    { name: "world-app", path: "/worlds/toy/apps/shelf?seed=1", shows: ["list"] },
    { name: "world-table", path: "/worlds/toy/tables/shelf.things?seed=1", shows: ["things"] },
    { name: "world-tasks", path: "/worlds/toy/tasks?seed=1&split=dev", shows: [/what is in/] },
    {
      name: "world-task",
      path: `${buildPath("worlds", "toy", "tasks", "dev/0/1")}?seed=1`,
      shows: [/what is in/, "tell.thing"],
    },
    { name: "documents", path: "/documents", shows: [/Results/] },
  ];
}
