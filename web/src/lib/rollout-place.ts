/** The place of a rollout (its run, file and id), and the addresses of the rollout, its group and its forks. */
import type { Rollout } from "../../../src/spec/rollout.ts";
import type { Crumb } from "../parts/crumbs.tsx";
import { buildAddress } from "./address.ts";
import { getReport } from "./report.ts";

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
  if (getReport() !== undefined) return [{ name: "Report", href: "#/" }];
  return [
    { name: "Runs", href: "#/" },
    { name: run, href: buildAddress(["runs", run]) },
    { name: file, href: buildAddress(["runs", run, "files", file]) },
  ];
}

/**
 * Returns true if the checks of a split are hidden. They are hidden for all splits except train and dev, unless the
 * user asked for them.
 */
export function hidesChecks(split: Rollout["task"]["split"], userAsked: boolean): boolean {
  return split !== "train" && split !== "dev" && !userAsked;
}
