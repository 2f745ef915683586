/** A session as the record of an episode: what other rollouts are, learning takes it as one of them. */
import { isShaped, type Rollout } from "../../spec/index.ts";
import type { SessionRecord } from "./open-session.ts";

/** What an episode is beside what was said in it. */
export type SessionEpisode = Pick<
  Rollout,
  "id" | "task" | "index" | "stream" | "temperature" | "outcome"
> &
  Partial<Pick<Rollout, "evaluation" | "failure" | "role" | "memory" | "chain">>;

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
  return Object.freeze({ version: isShaped(shape) ? (2 as const) : (1 as const), ...shape });
}
