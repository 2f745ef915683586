/**
 * Checks on random tasks of every built-in world that a fork continues exactly as its original, that a replay repeats
 * it, and that episodes do not see each other. The code is solutions mixed with cells that draw numbers, read the time
 * and fail.
 */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { Rng, THIS_CALL } from "../../src/core/index.ts";
import type { StepResult } from "../../src/spec/index.ts";
import {
  demonstrate,
  LiveEpisode,
  loadDefinition,
  WorldInstance,
} from "../../src/world/episode/index.ts";
import { createSandbox, type Sandbox } from "../../src/world/sandbox/index.ts";
import { ArgumentGenerator, CallMemory } from "../support/arbitrary-arguments.ts";
import { distinctWorlds } from "../support/distinct-worlds.ts";
import { sweepSize } from "../support/sweep.ts";

const SEED = 20260312;
/** How many tasks are tried: many of the full Everyday world, and few of the other worlds. */
const [MANY, FEW] = [sweepSize(32, 500), sweepSize(8, 120)];

const worlds = await Promise.all(
  distinctWorlds.map(async ([name, url]) => {
    const definition = await loadDefinition(url.href, THIS_CALL);
    const world = new WorldInstance(definition, 1);
    const worldWithoutLogins = new WorldInstance(definition, 1, { logins: false });
    return { name, world, open: worldWithoutLogins, tasks: name === "everyday" ? MANY : FEW };
  }),
);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});

/** Cells that print what episodes could share by mistake: random state, clock and global variables. */
const PROBES = [
  "var seen = (globalThis.seen ?? 0) + 1; print(seen, Math.random(), Date.now(), Object.keys(globalThis))",
  "let text = 'x'.repeat(5000); throw new Error(text.length + ' ' + seen)",
  "print(apis.docs.listApps().items.map(({ name }) => name), apis.me.profile(), text.length + seen)",
];

/** Returns the cells of a task's solution, with the probes inserted at random places. */
async function drawCells(world: WorldInstance, taskId: string, rng: Rng): Promise<string[]> {
  const episode = LiveEpisode.open(world, sandbox, taskId);
  const { turns } = await demonstrate(episode, rng.chance(0.5) ? "careful" : "hasty", 1);
  episode.close();
  const cells = turns.map(({ code }) => code);
  for (const probe of PROBES) cells.splice(rng.integer(0, cells.length - 1), 0, probe);
  return cells;
}

async function runCells(episode: LiveEpisode, cells: readonly string[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const cell of cells) results.push(await episode.step(cell));
  return results;
}

/** Evaluates and closes an episode. Returns its evaluation, calls and changes. */
function evaluateAndClose(episode: LiveEpisode): unknown {
  const { state, calls } = episode.session;
  const evaluation = episode.evaluate();
  episode.close();
  return { evaluation, calls, changes: state.changesSince(episode.start.state) };
}

/** Returns ids of training tasks, three of each scenario. */
function listTaskIds(world: WorldInstance, count: number): string[] {
  const tasks = world.tasks("train", Math.ceil(count / 3));
  return tasks.slice(0, count).map(({ id }) => id);
}

describe.each(worlds)("$name", ({ world, open: worldWithoutLogins, tasks }) => {
  test(`forks and replays of ${tasks} tasks give the results of the original`, async () => {
    for (const taskId of listTaskIds(world, tasks)) {
      const rng = new Rng(SEED).child(taskId);
      const cells = await drawCells(world, taskId, rng);
      const forkAt = rng.integer(0, cells.length);
      const original = LiveEpisode.open(world, sandbox, taskId);
      const before = await runCells(original, cells.slice(0, forkAt));
      const fork = original.fork();
      const after: [StepResult[], StepResult[]] = [[], []];
      for (const cell of cells.slice(forkAt)) {
        after[0].push(await original.step(cell));
        after[1].push(await fork.step(cell));
      }
      expect({ taskId, results: after[1] }).toEqual({ taskId, results: after[0] });
      const replay = LiveEpisode.open(world, sandbox, taskId);
      expect(await runCells(replay, cells)).toEqual([...before, ...after[0]]);
      const ending = evaluateAndClose(original);
      expect([evaluateAndClose(fork), evaluateAndClose(replay)]).toEqual([ending, ending]);
    }
  });

  test("a fork that runs other code does not change the episode from which it was forked", async () => {
    for (const taskId of listTaskIds(world, tasks / 4)) {
      const rng = new Rng(SEED).child("other").child(taskId);
      const cells = await drawCells(world, taskId, rng);
      const forkAt = rng.integer(0, cells.length);
      const original = LiveEpisode.open(world, sandbox, taskId);
      const expected = LiveEpisode.open(world, sandbox, taskId);
      const first = await runCells(original, cells.slice(0, forkAt));
      const fork = original.fork();
      await runCells(fork, rng.shuffle(cells));
      evaluateAndClose(fork);
      expect([...first, ...(await runCells(original, cells.slice(forkAt)))]).toEqual(
        await runCells(expected, cells),
      );
      expect(evaluateAndClose(original)).toEqual(evaluateAndClose(expected));
    }
  });

  test("three episodes that make calls in turns get the same answers as each episode alone", () => {
    const generator = new ArgumentGenerator(
      worldWithoutLogins.definition.apps,
      worldWithoutLogins.copyPopulation(),
    );
    const calls = worldWithoutLogins.definition.apps.flatMap((app) =>
      Object.entries(app.apis).map(([name, api]) =>
        generator.argumentsOf(app.name, api).map((args) => ({ app: app.name, name, args })),
      ),
    );
    const turns = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.oneof(...calls)), {
      size: "max",
      maxLength: 40,
    });
    const start = worldWithoutLogins.prepareTask(listTaskIds(worldWithoutLogins, 1)[0]!);
    const property = fc.property(turns, (drawn) => {
      const startEpisode = () => ({
        session: worldWithoutLogins.startSession(start),
        memory: new CallMemory(),
        answers: [] as unknown[],
      });
      const together = [startEpisode(), startEpisode(), startEpisode()];
      const alone = [startEpisode(), startEpisode(), startEpisode()];
      const makeCall = (
        live: ReturnType<typeof startEpisode>,
        [, call]: (typeof drawn)[number],
      ) => {
        const args = live.memory.replaceRecentValues(call.args);
        const result = worldWithoutLogins.dispatcher.call(
          live.session,
          worldWithoutLogins.owner,
          call.app,
          call.name,
          args,
        );
        if ("value" in result) live.memory.remember(result.value);
        live.answers.push(result);
      };
      for (const turn of drawn) makeCall(together[turn[0]]!, turn);
      alone.forEach((live, who) => {
        for (const turn of drawn) if (turn[0] === who) makeCall(live, turn);
      });
      expect(together.map(({ answers }) => answers)).toEqual(alone.map(({ answers }) => answers));
    });
    fc.assert(property, { seed: SEED, numRuns: 60 });
  });
});
