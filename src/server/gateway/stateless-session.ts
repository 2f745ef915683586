/**
 * A session that any number of conversations share, for serving a policy. Each request is answered by a session of its
 * own, so nothing is remembered between requests. The newest few sessions stay open, because the next request of the
 * same conversation can then reuse what the sampler computed.
 */
import type { OpenSession } from "../../agent/index.ts";
import type { AgentSession, SessionCounters } from "../../spec/index.ts";

/** How many sessions stay open after their answer. */
const MAX_IDLE_SESSIONS = 8;

export interface StatelessSession extends AgentSession {
  close(): void;
}

/** `open` makes a session. `turn` numbers the sessions, so that equal requests get different random streams. */
export function createStatelessSession(open: (turn: number) => OpenSession): StatelessSession {
  const idle: OpenSession[] = [];
  const busy = new Set<OpenSession>();
  let turns = 0;
  let illFormed = 0;
  const inspect = <T>(read: (session: OpenSession) => T): T => {
    const session = open(turns);
    const result = read(session);
    session.close();
    return result;
  };
  return {
    id: "serve",
    async respond(request, options) {
      const session = open(turns++);
      busy.add(session);
      try {
        const answer = await session.respond(request, options);
        illFormed += answer.illFormed;
        return answer;
      } finally {
        busy.delete(session);
        idle.push(session);
        if (idle.length > MAX_IDLE_SESSIONS) idle.shift()!.close();
      }
    },
    countTokens: (request) => inspect((session) => session.countTokens(request)),
    async countTokensInBackground(request) {
      const session = open(turns);
      try {
        return await (session.countTokensInBackground?.(request) ?? session.countTokens(request));
      } finally {
        session.close();
      }
    },
    listIgnoredSettings: (request) => inspect((session) => session.listIgnoredSettings(request)),
    get counters(): SessionCounters {
      return { answers: turns, retries: 0, roots: turns, branches: 0, edits: 0, illFormed };
    },
    close() {
      for (const session of [...busy, ...idle.splice(0)]) session.close();
    },
  };
}
