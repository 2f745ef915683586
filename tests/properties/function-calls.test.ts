/**
 * Checks solutions that are written as single function calls. Such a solution makes the same calls and passes the same
 * checks as the solution in code, and a policy that repeats it produces the same row of tokens.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  compactRenderer,
  compactToolsScaffold,
  demonstrateWithScaffold,
  encodeDemonstration,
  runTask,
  splitIntoSessions,
  toolsScaffold,
} from "../../src/agent/index.ts";
import { Rng } from "../../src/core/index.ts";
import type { DemonstrationStyle, TokenPolicy, World } from "../../src/spec/index.ts";
import { byteTokenizer } from "../../src/testing/byte-tokenizer.ts";
import { scriptedTokenPolicy } from "../../src/testing/scripted-policy.ts";
import { openWorld } from "../../src/world/index.ts";
import { distinctWorlds } from "../support/distinct-worlds.ts";
import { sweepSize } from "../support/sweep.ts";

const SEED = 20260312;
const WIDE_LIMITS = { maxTurns: 500, maxTurnTokens: 1e5, maxTokens: 1e6 };
const scaffolds = [
  compactToolsScaffold({ ...WIDE_LIMITS, maxObservationCharacters: 600 }),
  toolsScaffold(WIDE_LIMITS),
];
const renderer = compactRenderer(byteTokenizer());

/** Returns a policy that follows one script a session. Each session has a cache key of its own. */
function repeatSessions(scripts: readonly (readonly string[])[]): TokenPolicy {
  const policies = scripts.map((script) => scriptedTokenPolicy(script, renderer).policy);
  const keys: unknown[] = [];
  return {
    kind: "tokens",
    release: () => {},
    sample: (request, signal) => {
      if (!keys.includes(request.cacheKey)) keys.push(request.cacheKey);
      return (policies[keys.indexOf(request.cacheKey)] as TokenPolicy).sample(request, signal);
    },
  };
}

describe.each(distinctWorlds.map(([name, url]) => ({ name, url })))("$name", ({ name, url }) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(url.href, { seed: 1, workers: 1 });
  });
  afterAll(() => world.close());

  const drawTasks = () => {
    const rng = new Rng(SEED).child(name);
    const tasks = rng.shuffle(world.tasks("train", 200));
    return tasks.slice(0, sweepSize(4, 50)).map((task, i) => {
      const style: DemonstrationStyle = rng.chance(0.5) ? "careful" : "hasty";
      return { task, style, seed: rng.uint32(), scaffold: scaffolds[i % 2]! };
    });
  };

  test("a solution in single function calls makes the same calls as the solution in code, and is evaluated equally", {
    timeout: 120_000,
  }, async () => {
    for (const { task, style, seed, scaffold } of drawTasks()) {
      const program = await world.demonstrate(task.id, style, seed);
      const calls = await demonstrateWithScaffold(world, scaffold, task.id, style, seed);
      const listCalls = (of: typeof program) =>
        of.turns.flatMap(({ result }) => result.calls.map((call) => ({ ...call })));
      expect(listCalls(calls)).toEqual(listCalls(program));
      expect(calls.evaluation).toEqual(program.evaluation);
      if (style === "careful") expect(calls.evaluation.passed).toBe(true);
    }
  });

  test("a policy that repeats the function calls of a demonstration produces the same row of tokens", {
    timeout: 120_000,
  }, async () => {
    for (const { task, style, seed, scaffold } of drawTasks().slice(0, 5)) {
      const demonstration = await demonstrateWithScaffold(world, scaffold, task.id, style, seed);
      const sessions = splitIntoSessions(demonstration);
      const rows = sessions.map((session) => encodeDemonstration(session, scaffold, renderer));
      const scripts = sessions.map(({ turns }) =>
        turns.map(({ code }) => scaffold.messageOf!(code)),
      );
      const rollout = await runTask(world, task, {
        policy: repeatSessions(scripts),
        scaffold,
        renderer,
        id: "0/0/0",
        index: 0,
        stream: 0,
        temperature: 1,
      });
      const played = [rollout.tokens!, ...(rollout.segments ?? [])];
      expect(played).toHaveLength(rows.length);
      for (const [i, { ids, mask, fits }] of rows.entries()) {
        expect(played[i]!.ids.slice(0, ids.length)).toEqual(ids);
        expect(played[i]!.mask.slice(0, ids.length)).toEqual(mask);
        expect(fits).toBe(true);
      }
      expect(rollout.evaluation).toEqual(demonstration.evaluation);
    }
  });
});
