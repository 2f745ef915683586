/**
 * Runs an agent in many client libraries, in this process and over HTTP: 30 answers with calls, parallel calls and
 * thoughts, streamed or not, over a network that loses calls. The test checks that the session records exactly what was
 * sampled, and every turn once.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, openGateway } from "../../src/server/index.ts";
import { ROOT, runCommand } from "../e2e/support/cli.ts";
import type { NamedAgent } from "./clients/agents.ts";
import {
  expectExactRecord,
  listExpectedKeys,
  openScriptedSession,
  QUESTIONS,
} from "./clients/conversation.ts";
import { type Fault, startFaultyNetwork } from "./clients/faulty-network.ts";
import { installPackages, MISSING_PACKAGES } from "./support/install-packages.ts";

const hasClients = await installPackages(join(ROOT, "tests/slow/clients"), "@langchain/core");
const AGENTS = hasClients ? (await import("./clients/agents.ts")).AGENTS : [];

test("the agents match the types of their client libraries", async ({ skip }) => {
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

/**
 * Faults for clients that do not mark repeated requests. None of these faults loses an answer, because the repeated
 * request would look like a new one.
 */
const UNMARKED_FAULTS: Readonly<Record<number, Fault>> = { 2: "refused", 14: "dropped" };
const MARKED_FAULTS: Readonly<Record<number, Fault>> = {
  ...UNMARKED_FAULTS,
  7: "lost",
  22: "lost",
  26: "refused",
};

/** Faults for clients that repeat a call only when they got a status. */
const STATUS_FAULTS: Readonly<Record<number, Fault>> = { 2: "refused", 14: "refused" };

function chooseFaults({ marksRetries, retriesStatusOnly }: Partial<NamedAgent>) {
  if (marksRetries) return MARKED_FAULTS;
  return retriesStatusOnly ? STATUS_FAULTS : UNMARKED_FAULTS;
}

const cases = AGENTS.flatMap((named) => [false, true].map((streams) => ({ ...named, streams })));

describe
  .skipIf(!hasClients)
  .concurrent("each of 30 answers is sampled once and recorded once", () => {
    test.each(cases)(
      "the session of the client $name is recorded exactly, with streams: $streams",
      async ({ name, agent, streams, ...traits }) => {
        const scripted = openScriptedSession(`${name} ${streams}`.replaceAll(/[^a-z]+/gi, "-"));
        const { session } = scripted;
        const episode = gateway.open(session);
        const faults = chooseFaults(traits);
        const network = await startFaultyNetwork(gateway.url, faults, scripted.holdNextSample);
        const { keys, ends } = await agent({
          session,
          openai: network.proxyUrl(episode.openaiBaseURL),
          anthropic: network.proxyUrl(episode.anthropicBaseURL),
          google: network.proxyUrl(episode.googleBaseURL),
          key: episode.key,
          streams,
        });
        expect(keys).toEqual(listExpectedKeys());
        expect(ends).toEqual(Array.from({ length: QUESTIONS }, (_, i) => `Drawer ${i} is done.`));
        expectExactRecord(scripted);
        if (!traits.inProcess) {
          expect([...network.done].sort()).toEqual(Object.values(faults).sort());
          const count = (kind: Fault) => Object.values(faults).filter((one) => one === kind).length;
          expect([session.counters.retries, scripted.countCancelled()]).toEqual([
            count("lost"),
            count("dropped"),
          ]);
        }
        episode.close();
        await network.close();
      },
    );
  });
