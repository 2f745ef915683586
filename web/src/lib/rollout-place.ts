/** Where a rollout is: its run, its file, its id; and the addresses around it. */
import type { Rollout } from "../../../src/spec/rollout.ts";
import type { Crumb } from "../parts/crumbs.tsx";
import { buildAddress } from "./address.ts";

export interface FilePlace {
  readonly run: string;
  readonly file: string;
}

export interface RolloutPlace extends FilePlace {
  readonly rollout: string;
}

export function rolloutAddress(
  { run, file, rollout }: RolloutPlace,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  return buildAddress(["runs", run, "files", file, "rollouts", rollout], query);
}

export function groupAddress({ run, file }: FilePlace, task: string): string {
  return buildAddress(["runs", run, "files", file, "groups", task]);
}

export function forkAddress({ run, file, rollout }: RolloutPlace, turn: number): string {
  return buildAddress(["runs", run, "files", file, "rollouts", rollout, "fork", turn]);
}

export function fileCrumbs({ run, file }: FilePlace): readonly Crumb[] {
  return [
    { name: "Runs", href: "#/" },
    { name: run, href: buildAddress(["runs", run]) },
    { name: file, href: buildAddress(["runs", run, "files", file]) },
  ];
}

/** All splits but those that may be tuned on may only be scored: what they check is shown to those who ask. */
export function hidesChecks(split: Rollout["task"]["split"], isShown: boolean): boolean {
  return split !== "train" && split !== "dev" && !isShown;
}
