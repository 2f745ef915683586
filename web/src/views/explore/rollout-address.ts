/** The place of a rollout as one text, for the address of the page. */
import type { RolloutFacts } from "../../../../src/spec/facts.ts";
import type { RolloutPlace } from "../../lib/rollout-place.ts";

export function formatPlace({ run, file, id }: Pick<RolloutFacts, "run" | "file" | "id">): string {
  return `${run}~${file}~${id}`;
}

/** Returns undefined for a text that is not a place. Only the name of a run may hold the separator. */
export function parsePlace(text: string): RolloutPlace | undefined {
  const found = /^(.+)~([^~]+)~([^~]+)$/s.exec(text);
  return found ? { run: found[1]!, file: found[2]!, rollout: found[3]! } : undefined;
}
