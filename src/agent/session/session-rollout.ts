/** Turns a session into the rollout record of an episode, so that learning can treat it like any other rollout. */
import { needsVersion2, type Rollout, rolloutSchema } from "../../spec/index.ts";
import type { SessionRecord } from "./open-session.ts";

/** The fields of a rollout record that a session does not know. */
export type SessionEpisode = Pick<
  Rollout,
  "id" | "task" | "index" | "stream" | "temperature" | "outcome"
> &
  Partial<Pick<Rollout, "evaluation" | "failure" | "role" | "memory" | "chain" | "session">>;

/**
 * Creates the frozen rollout record. All rows of the session belong to this rollout, as its `tokens` and `segments`.
 */
export function sessionRollout(record: SessionRecord, episode: SessionEpisode): Rollout {
  const { tokens, segments, policyVersion } = record;
  const turns = [...record.turns];
  const shape = {
    ...episode,
    turns,
    policyVersion,
    ...(tokens && { tokens }),
    ...(segments.length > 0 && { segments: [...segments] }),
  };
  // The schema puts the fields into the order in which a journal returns them, so that files are equal byte for byte.
  return Object.freeze(rolloutSchema.parse({ version: needsVersion2(shape) ? 2 : 1, ...shape }));
}
