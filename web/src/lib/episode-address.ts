/**
 * Addresses of episodes. The address of a forked episode says so, because the episode then belongs to the section of
 * runs instead of worlds. The address of a fork that is kept names the fork, so that it also works after a restart of
 * the studio.
 */
import type { EpisodeView } from "../../../src/spec/studio/index.ts";
import { type Address, buildAddress } from "./address.ts";

export function episodeAddress({
  id,
  record,
  fork,
}: Pick<EpisodeView, "id" | "record" | "fork">): string {
  const kept = fork && "id" in fork ? { run: fork.run, fork: fork.id } : {};
  return buildAddress(["episodes", id], { from: record && "run", ...kept });
}

/** Returns the address at which a kept fork is opened again; undefined if the episode's address names none. */
export function keptForkAddress({ query }: Pick<Address, "query">): string | undefined {
  const { run, fork } = query;
  return run === undefined || fork === undefined
    ? undefined
    : buildAddress(["runs", run, "forks", fork]);
}

export function isFromRun({ query }: Pick<Address, "query">): boolean {
  return query["from"] === "run";
}
