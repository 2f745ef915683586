/** Every view of the page with an address that has something to show on a run, and words that are only there when it does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolloutSchema } from "../../../src/spec/index.ts";
import { RUN_NAMES } from "./stage.ts";

export interface View {
  readonly name: string;
  readonly path: string;
  /** Text that stands in its `main`. */
  readonly shows: readonly (string | RegExp)[];
}

export const RUN = RUN_NAMES[0];
/** An iteration in which some groups teach. */
export const FILE = "train-0008";

/** A rollout of `FILE` that passed while another of its group failed, with turns enough to go into. */
export function telling(runs: string) {
  const path = join(runs, RUN, "rollouts", `${FILE}.jsonl`);
  const rollouts = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => rolloutSchema.parse(JSON.parse(line)));
  const failed = new Set(
    rollouts.filter((one) => !one.evaluation?.passed).map(({ task }) => task.id),
  );
  const found = rollouts
    .filter(({ evaluation, task }) => evaluation?.passed && failed.has(task.id))
    .sort((a, b) => b.turns.length - a.turns.length)[0];
  if (!found) throw new Error("no group of the run is mixed");
  return found;
}

const at = (...parts: readonly string[]) => `/${parts.map(encodeURIComponent).join("/")}`;

export const runAt = (run: string) => at("runs", run);
export const fileAt = (run: string, file: string) => at("runs", run, "files", file);
export const groupAt = (run: string, file: string, task: string) =>
  at("runs", run, "files", file, "groups", task);
export const rolloutAt = (run: string, file: string, rollout: string) =>
  at("runs", run, "files", file, "rollouts", rollout);

export function viewsOn(runs: string): readonly View[] {
  const { id, task } = telling(runs);
  return [
    { name: "runs", path: "/", shows: [...RUN_NAMES, "loop", "finished"] },
    { name: "run", path: runAt(RUN), shows: ["Curves", "mean return", "Finished"] },
    { name: "run-grid", path: `${runAt(RUN)}?view=grid`, shows: [/all right/i] },
    { name: "run-files", path: `${runAt(RUN)}?view=files`, shows: [FILE] },
    {
      name: "run-configuration",
      path: `${runAt(RUN)}?view=configuration`,
      shows: ["algo.groupSize"],
    },
    { name: "file", path: fileAt(RUN, FILE), shows: [task.id] },
    { name: "group", path: groupAt(RUN, FILE, task.id), shows: [task.id, /turn 1/i] },
    { name: "rollout", path: rolloutAt(RUN, FILE, id), shows: [task.id, /turn 1/i] },
    {
      name: "rollout-tokens",
      path: `${rolloutAt(RUN, FILE, id)}?tab=tokens`,
      shows: [/log-prob/i, /advantage/i],
    },
    {
      name: "rollout-state",
      path: `${rolloutAt(RUN, FILE, id)}?tab=state`,
      shows: ["Wanted and done", "nothing else changed"],
    },
    { name: "rollout-raw", path: `${rolloutAt(RUN, FILE, id)}?tab=raw`, shows: ["logprobs"] },
    { name: "overlay", path: `/overlay?run=${RUN_NAMES[0]}&run=${RUN_NAMES[1]}`, shows: ["run.seed"] },
    { name: "behaviour", path: `${runAt(RUN)}/behaviour`, shows: ["turns", "before"] },
    { name: "worlds", path: "/worlds", shows: ["toy"] },
    { name: "world", path: "/worlds/toy?seed=1", shows: ["shelf", "Ida Toy"] },
    { name: "world-app", path: "/worlds/toy/apps/shelf?seed=1", shows: ["list"] },
    { name: "world-table", path: "/worlds/toy/tables/shelf.things?seed=1", shows: ["things"] },
    { name: "world-tasks", path: "/worlds/toy/tasks?seed=1&split=dev", shows: [/what is in/] },
    {
      name: "world-task",
      path: `${at("worlds", "toy", "tasks", "dev/0/1")}?seed=1`,
      shows: [/what is in/, "tell.thing"],
    },
    { name: "documents", path: "/documents", shows: [/Results/] },
  ];
}
