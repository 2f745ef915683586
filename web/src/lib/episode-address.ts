/** Where an episode is. One that was forked from a rollout says so, for then it belongs to the runs and not to the worlds. */
import type { EpisodeView } from "../../../src/spec/studio/index.ts";
import { type Address, buildAddress } from "./address.ts";

export function episodeAddress({ id, record }: Pick<EpisodeView, "id" | "record">): string {
  return buildAddress(["episodes", id], { from: record && "run" });
}

export function isFromRun({ query }: Pick<Address, "query">): boolean {
  return query["from"] === "run";
}
