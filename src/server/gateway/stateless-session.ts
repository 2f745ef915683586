/**
 * A policy in use, as one session that any number of conversations share: each request is answered by a session of its own,
 * so nothing is remembered of anybody. The last few stay open for a while, because the next request of a conversation then
 * finds what the sampler computed for it.
 */
import type { OpenSession } from "../../agent/index.ts";
import type { AgentSession, SessionCounters } from "../../spec/index.ts";

/** Sessions that are kept open behind their answer. */
const MAX_IDLE_SESSIONS = 8;

export interface StatelessSession extends AgentSession {
  close(): void;
}

/** `open` makes a session; `turn` numbers them, and tells the streams of equal requests apart. */
export function createStatelessSession(open: (turn: number) => OpenSession): StatelessSession {
  const idle: OpenSession[] = [];
  const busy = new Set<OpenSession>();
  let turns = 0;
  let illFormed = 0;
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
    countTokens(request) {
      const session = open(turns);
      const count = session.countTokens(request);
      session.close();
      return count;
    },
    get counters(): SessionCounters {
      return { answers: turns, retries: 0, roots: turns, branches: 0, edits: 0, illFormed };
    },
    close() {
      for (const session of [...busy, ...idle.splice(0)]) session.close();
    },
  };
}
