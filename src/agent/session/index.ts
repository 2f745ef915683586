/** Sessions of agents that are not ours: requests in, answers out, training rows in the end. */

export type { SessionLimits } from "./limits.ts";
export {
  type OpenSession,
  openSession,
  type RequestedSampling,
  type SessionOptions,
  type SessionRecord,
} from "./open-session.ts";
export { SessionError } from "./session-error.ts";
export { type SessionEpisode, sessionRollout } from "./session-rollout.ts";
export type { SessionRows } from "./session-rows.ts";
