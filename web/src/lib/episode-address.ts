/**
 * Addresses of episodes. The address of a forked episode says so, because the episode then belongs to the section of
 * runs instead of worlds.
 */
import type { EpisodeView } from "../../../src/spec/studio/index.ts";
import { type Address, buildAddress } from "./address.ts";

export function episodeAddress({ id, record }: Pick<EpisodeView, "id" | "record">): string {
  return buildAddress(["episodes", id], { from: record && "run" });
}

export function isFromRun({ query }: Pick<Address, "query">): boolean {
  return query["from"] === "run";
}
