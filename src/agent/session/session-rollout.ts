/** A session as the record of an episode: what other rollouts are, learning takes it as one of them. */
import { isShaped, type Rollout, rolloutSchema } from "../../spec/index.ts";
import type { SessionRecord } from "./open-session.ts";

/** What an episode is beside what was said in it. */
export type SessionEpisode = Pick<
  Rollout,
  "id" | "task" | "index" | "stream" | "temperature" | "outcome"
> &
  Partial<Pick<Rollout, "evaluation" | "failure" | "role" | "memory" | "chain" | "session">>;

/** Frozen. All rows of the session are rows of this rollout: `tokens` and `segments`. */
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
  // Parsed, so that its fields are in the order in which a journal gives them back: files are equal byte for byte.
  return Object.freeze(rolloutSchema.parse({ version: isShaped(shape) ? 2 : 1, ...shape }));
}
