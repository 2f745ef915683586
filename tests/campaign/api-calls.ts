/**
 * Calls of the APIs of the built-in worlds, with arguments that fit, that nearly fit and that do not. A call is
 * answered or refused, never by a status of 500 or more. A refused call leaves the episode's state as it was.
 */

import fc from "fast-check";
import type { Rng } from "../../src/core/index.ts";
import { THIS_CALL } from "../../src/core/index.ts";
import { loadDefinition, WorldInstance } from "../../src/world/episode/index.ts";
import {
  type ApiArguments,
  ArgumentGenerator,
  CallMemory,
} from "../support/arbitrary-arguments.ts";
import { distinctWorlds } from "../support/distinct-worlds.ts";
import type { CaseOutcome, Part, StepFilter } from "./part.ts";

const CALLS_PER_CASE = 50;

interface Call {
  readonly app: string;
  readonly api: string;
  readonly args: ApiArguments;
}

interface FuzzedWorld {
  readonly name: string;
  readonly world: WorldInstance;
  readonly calls: fc.Arbitrary<Call>;
}

async function openWorld(name: string, url: URL): Promise<FuzzedWorld> {
  const world = new WorldInstance(await loadDefinition(url.href, THIS_CALL), 1, { logins: false });
  const { apps } = world.definition;
  const generator = new ArgumentGenerator(apps, world.copyPopulation());
  const calls = apps.flatMap((app) =>
    Object.entries(app.apis).map(([api, definition]) =>
      generator.argumentsOf(app.name, definition).map((args) => ({ app: app.name, api, args })),
    ),
  );
  return { name, world, calls: fc.oneof(...calls) };
}

function runCalls({ name, world, calls }: FuzzedWorld, rng: Rng, steps: StepFilter): CaseOutcome {
  const drawn = fc.sample(calls, { seed: rng.uint32() | 0, numRuns: CALLS_PER_CASE });
  const session = { state: world.copyPopulation(), calls: 0 };
  const memory = new CallMemory();
  const counts = { calls: 0, answered: 0, refused: 0 };
  const failures: string[] = [];
  for (const { app, api, args: drawnArgs } of steps.choose(drawn)) {
    const args = memory.replaceRecentValues(drawnArgs);
    const before = session.state.clone();
    const result = world.dispatcher.call(session, world.owner, app, api, args);
    counts.calls += 1;
    const fail = (problem: string) =>
      failures.push(`${name}: apis.${app}.${api}(${JSON.stringify(args)}): ${problem}`);
    memory.remember(args);
    if ("value" in result) {
      counts.answered += 1;
      memory.remember(result.value);
      continue;
    }
    counts.refused += 1;
    if (result.status >= 500) fail(`status ${result.status}: ${result.message}`);
    if (/\n\s+at /.test(result.message)) fail(`the message has a stack: ${result.message}`);
    const { state } = session;
    const changed = [...state.changesSince(before), ...before.changesSince(state)];
    if (changed.length > 0) fail(`it was refused, but it changed ${JSON.stringify(changed)}`);
  }
  return { counts, failures };
}

export const apiCalls: Part = {
  name: "api",
  summary: "calls of worlds' APIs",
  weight: 1,
  caseLimitMs: 60_000,
  async open() {
    const opened = new Map<string, Promise<FuzzedWorld>>();
    return {
      async runCase(rng, steps) {
        const [name, url] = rng.pick(distinctWorlds);
        // A large world takes seconds to open.
        if (!opened.has(name)) opened.set(name, openWorld(name, url));
        return runCalls(await opened.get(name)!, rng, steps);
      },
      close: async () => {},
    };
  },
};
