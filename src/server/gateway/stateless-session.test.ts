import { expect, test } from "vitest";
import type { OpenSession } from "../../agent/index.ts";
import { scriptedSession } from "../../testing/index.ts";
import { createStatelessSession } from "./stateless-session.ts";

test("each request is answered by its own session, and only the newest few stay open", async () => {
  const closed: number[] = [];
  const opened: number[] = [];
  const shared = createStatelessSession((turn) => {
    opened.push(turn);
    const session = scriptedSession(() => `turn ${turn}`, `s${turn}`);
    return { ...session, close: () => void closed.push(turn) } as unknown as OpenSession;
  });
  const messages = [{ role: "user", parts: [{ type: "text", text: "?" }] }] as const;
  const ids = new Set<string>();
  for (let i = 0; i < 12; i++) ids.add((await shared.respond({ messages })).id);
  expect(ids.size).toBe(12);
  expect(closed).toEqual([0, 1, 2, 3]);
  shared.close();
  expect(closed).toEqual(opened);
  expect(shared.counters.answers).toBe(12);
});
