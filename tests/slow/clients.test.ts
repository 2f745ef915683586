/**
 * Agents that are not ours, in clients that are not ours, over both doors: 30 answers with calls, parallel calls and thoughts,
 * streamed and not, over a network that loses calls. What a learner would get is what was sampled, and no turn is lost or
 * there twice.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, openGateway } from "../../src/server/index.ts";
import { ROOT, runCommand } from "../e2e/support/cli.ts";
import { expectExact, expectedKeys, openScripted, QUESTIONS } from "./clients/conversation.ts";
import { type Fault, faultyNetwork } from "./clients/faulty-network.ts";
import { haveOwnPackages, MISSING_PACKAGES } from "./support/install-packages.ts";

const hasClients = await haveOwnPackages(join(ROOT, "tests/slow/clients"), "@langchain/core");
const AGENTS = hasClients ? (await import("./clients/agents.ts")).AGENTS : [];

test("the agents hold to the types of their clients", async ({ skip }) => {
  skip(!hasClients, MISSING_PACKAGES);
  const { code, stdout } = await runCommand("npx", ["tsc", "-p", "tests/slow/clients"], {
    cwd: ROOT,
  });
  expect(code, stdout).toBe(0);
});

let gateway: Gateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway.close());

/** A client that does not say that it repeats cannot be told from one that asks again, once an answer has left. */
const UNMARKED: Readonly<Record<number, Fault>> = { 2: "refused", 14: "dropped" };
const MARKED: Readonly<Record<number, Fault>> = {
  ...UNMARKED,
  7: "lost",
  22: "lost",
  26: "refused",
};

const kinds = AGENTS.flatMap((named) => [false, true].map((streams) => ({ ...named, streams })));

describe.skipIf(!hasClients).concurrent("30 answers are sampled once and learned once", () => {
  test.each(kinds)("$name, streams: $streams", async ({ name, agent, streams, ...kind }) => {
    const scripted = openScripted(`${name} ${streams}`.replaceAll(/[^a-z]+/gi, "-"));
    const { session } = scripted;
    const episode = gateway.open(session);
    const faults = kind.marksRetries ? MARKED : UNMARKED;
    const network = await faultyNetwork(gateway.url, faults, scripted.hold);
    const { keys, ends } = await agent({
      session,
      openai: network.through(episode.openaiBaseURL),
      anthropic: network.through(episode.anthropicBaseURL),
      key: episode.key,
      streams,
    });
    expect(keys).toEqual(expectedKeys());
    expect(ends).toEqual(Array.from({ length: QUESTIONS }, (_, i) => `Drawer ${i} is done.`));
    expectExact(scripted);
    if (!kind.inProcess) {
      expect([...network.done].sort()).toEqual(Object.values(faults).sort());
      const lost = Object.values(faults).filter((fault) => fault === "lost").length;
      expect([session.counters.retries, scripted.cancelled()]).toEqual([lost, 1]);
    }
    episode.close();
    await network.close();
  });
});
