import { expect, test } from "vitest";
import { FakeClock } from "../../../testing/fake-tinker-server.ts";
import { Deadline } from "./deadline.ts";
import { TinkerError } from "./errors.ts";
import { RETRY_POLICY } from "./retry.ts";

const LOST = new TinkerError("session-lost", "the sampler is gone");

/** Fails until the deadline is over. Returns the number of failures, the time, and the error. */
async function failUntilOver(limitMs: number) {
  const clock = new FakeClock();
  const startMs = clock.now();
  const deadline = new Deadline({ clock, policy: RETRY_POLICY }, limitMs);
  for (let failures = 1; ; failures++) {
    try {
      await deadline.waitOrThrow(LOST);
    } catch (error) {
      return { failures, ms: clock.now() - startMs, error };
    }
  }
}

test("an operation is repeated until the deadline, whatever the number of attempts", async () => {
  const { failures, ms, error } = await failUntilOver(RETRY_POLICY.recoveryMs);
  expect(ms).toBeLessThanOrEqual(30 * 60_000);
  expect(ms).toBeGreaterThan(29 * 60_000);
  // Delays double from 0.1 s to 30 s.
  expect(failures).toBeGreaterThan(60);
  expect(error).toMatchObject({ kind: "unreachable", cause: LOST });
  expect(String(error)).toMatch(/the sampler is gone; given up after \d+ attempts in \d+ s$/);
});

test("the first repetition comes at once, and nothing is repeated after the deadline", async () => {
  expect(await failUntilOver(0)).toMatchObject({ failures: 2, ms: 0 });
  expect(await failUntilOver(100)).toMatchObject({ failures: 3, ms: 100 });
});
