/**
 * Attacks the sandbox. Each attempt of the table ends as its row says. Afterwards the attacked REPL and another REPL on
 * the same instance answer a probe as if nothing had happened.
 */
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  runAttack,
  startAttackedSandbox,
  UNHARMED,
} from "../../../tests/support/attacked-sandbox.ts";
import { ATTACKS } from "../../../tests/support/sandbox-attacks.ts";

let worker: Worker;
beforeAll(async () => {
  worker = await startAttackedSandbox();
});

afterAll(() => worker.terminate());

test.each(ATTACKS)('the attack attempt "$name" ends with $ends', async ({ code, ends, says }) => {
  const { result, ...probes } = await runAttack(worker, code);
  expect(probes).toEqual(UNHARMED);
  expect(result.limit ?? result.status).toBe(ends);
  const said = `${result.stdout}${result.error?.message ?? ""}`;
  if (ends === "ok" && says) expect(said).toContain(says);
  else if (says) expect(said).toMatch(new RegExp(says));
});

test("a REPL survives when the thread's own stack overflows", async () => {
  const small = await startAttackedSandbox(0.5);
  for (const code of ["function f() { return f() + 1 } f();", "JSON.parse('['.repeat(100000))"]) {
    const result = { status: "limit", stdout: "", limit: "stack" };
    expect(await runAttack(small, code)).toEqual({ result, ...UNHARMED });
  }
  await small.terminate();
});

test("the table has at least 140 attempts", () =>
  expect(ATTACKS.length).toBeGreaterThanOrEqual(140));
