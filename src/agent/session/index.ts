/** Sessions of users' own agents: requests come in, answers go out, and training rows result. */

export type { SessionLimits } from "./limits.ts";
export {
  type OpenSession,
  openSession,
  type SessionOptions,
  type SessionRecord,
} from "./open-session.ts";
export type { RequestedSampling } from "./request-settings.ts";
export { SessionError } from "./session-error.ts";
export { type SessionEpisode, sessionRollout } from "./session-rollout.ts";
export type { SessionRows } from "./session-rows.ts";
