/** The contract that every World must keep. `describeWorld(name, (seed) => openWorld(...))` tests a world. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMPOSED_SPLITS, type Episode, type Split, type World } from "../../src/spec/index.ts";

/** The number of scenarios to solve in each split. `bowline world check` checks many more. */
const SCENARIOS = 4;

/** Tests that a world keeps the contract. `splits` are the splits that have tasks. */
export function describeWorld(
  name: string,
  makeWorld: (seed: number) => Promise<World>,
  splits: readonly Split[] = COMPOSED_SPLITS,
): void {
  describe(`world ${name}`, () => {
    let world: World;
    let twin: World;

    beforeAll(async () => {
      [world, twin] = await Promise.all([makeWorld(1), makeWorld(1)]);
    });

    afterAll(async () => {
      await Promise.all([world.close(), twin.close()]);
    });

    const firstTaskId = (inWorld = world) => inWorld.tasks("train", 1)[0]!.id;

    async function withEpisode<T>(
      inWorld: World,
      useEpisode: (episode: Episode) => Promise<T>,
      id = firstTaskId(),
    ): Promise<T> {
      const episode = await inWorld.open(id);
      try {
        return await useEpisode(episode);
      } finally {
        await episode.close();
      }
    }

    describe("tasks", () => {
      test.each(splits)(
        "in split %s every scenario has three tasks of the same signature, and task ids are unique",
        (split) => {
          const tasks = world.tasks(split, 20);
          expect(tasks).toHaveLength(60);
          expect(new Set(tasks.map(({ id }) => id)).size).toBe(60);
          for (let i = 0; i < tasks.length; i += 3) {
            const family = tasks.slice(i, i + 3);
            expect(new Set(family.map(({ scenario }) => scenario)).size).toBe(1);
            expect(new Set(family.map(({ signature }) => signature)).size).toBe(1);
            for (const task of family) {
              expect(task.split).toBe(split);
              expect(task.instruction).not.toBe("");
            }
          }
        },
      );

      test("a longer list of tasks begins like a shorter one, and the default list is not empty", () => {
        expect(world.tasks("dev", 9).slice(0, 12)).toEqual(world.tasks("dev", 4));
        for (const split of splits) expect(world.tasks(split).length).toBeGreaterThan(0);
      });

      test("the same seed gives the same tasks, and another seed gives other tasks", async () => {
        for (const split of splits) expect(twin.tasks(split, 20)).toEqual(world.tasks(split, 20));
        const other = await makeWorld(2);
        expect(other.tasks("train", 20)).not.toEqual(world.tasks("train", 20));
        await other.close();
      });

      test.each(["nowhere/0/1", "train/0/4", "train/x/1", ""])(
        "open rejects the invalid id %j",
        async (id) => {
          await expect(world.open(id)).rejects.toMatchObject({
            name: "BowlineError",
            code: "world",
          });
        },
      );
    });

    describe("episodes", () => {
      test("a step returns printed text and errors, and variables persist between steps", async () => {
        await withEpisode(world, async (episode) => {
          expect(await episode.step("let x = 20; print(x + 1)")).toMatchObject({
            status: "ok",
            text: "21",
          });
          expect(await episode.step("x += 5")).toMatchObject({ status: "ok", text: "(no output)" });
          const failed = await episode.step("print(x); nothing.here");
          expect(failed).toMatchObject({
            status: "error",
            stdout: "25\n",
            error: { name: "ReferenceError" },
          });
          expect(failed.text).toMatch(/^25\nReferenceError: .*nothing/);
          expect(await episode.step("print(x)")).toMatchObject({ status: "ok", text: "25" });
        });
      });

      test("a step that reaches a limit returns which limit it was, and the episode goes on", async () => {
        await withEpisode(world, async (episode) => {
          const stopped = await episode.step("print('a'); while (true) {}");
          expect(stopped).toMatchObject({ status: "limit", limit: "fuel", stdout: "a\n" });
          expect(stopped.text).toMatch(/^a\nLimit \(fuel\)/);
          expect(await episode.step("print(1)")).toMatchObject({ status: "ok", text: "1" });
        });
      });

      test("a step returns its API calls in order with their status", async () => {
        const code =
          "print(apis.me.profile().name); try { apis.me.profile({ x: 1 }) } catch (e) { print(e.message) }";
        const { calls, text } = await withEpisode(world, (episode) => episode.step(code));
        expect(calls).toEqual([
          { app: "me", api: "profile", args: {}, status: 200, wrote: false },
          { app: "me", api: "profile", args: { x: 1 }, status: 422, wrote: false },
        ]);
        expect(text).toMatch(/me\.profile has no parameter "x"/);
      });

      test("documentation covers every API of every app", async () => {
        const all = `const all = (list) => { const out = []; for (let page = 1; ; page++) {
            const { items, more } = list(page); out.push(...items.map(({ name }) => name)); if (!more) return out; } };`;
        await withEpisode(world, async (episode) => {
          const run = async (code: string) =>
            JSON.parse((await episode.step(code)).text) as string[];
          const apps = await run(`${all} print(all((page) => apis.docs.listApps({ page })))`);
          expect(apps.toSorted()).toEqual((await run("print(Object.keys(apis))")).toSorted());
          for (const app of apps) {
            const shown = await run(
              `print(all((page) => apis.docs.listApis({ app: "${app}", page })).filter((api) => apis.docs.showApi({ app: "${app}", api }).call.startsWith("apis.${app}." + api)))`,
            );
            const called = await run(`print(Object.keys(apis["${app}"]))`);
            expect(shown.toSorted()).toEqual(called.toSorted());
            expect(shown.length).toBeGreaterThan(0);
          }
        });
      });

      test("an agent can finish a task once, and no cell runs afterwards", async () => {
        await withEpisode(world, async (episode) => {
          const twice = "apis.me.finishTask(); apis.me.finishTask()";
          const ended = await episode.step(twice);
          expect(ended).toMatchObject({ status: "error", finished: true });
          expect(ended.calls.map(({ status }) => status)).toEqual([200, 409]);
          const refused = await episode.step("print(1)");
          expect(refused).toMatchObject({ status: "error", stdout: "", calls: [], finished: true });
        });
      });

      test("episodes of the same task and of other tasks do not affect each other", async () => {
        const ids = world.tasks("train", 2).map(({ id }) => id);
        const solo = await world.demonstrate(firstTaskId(), "careful", 1);
        const neighbours = await Promise.all([firstTaskId(), ...ids].map((id) => world.open(id)));
        const results = [];
        for (const { code } of solo.turns) {
          const [mine] = await Promise.all(
            neighbours.map((episode, i) =>
              episode.step(i === 0 ? code : `globalThis.x = ${i}; ${code}`),
            ),
          );
          results.push(mine);
        }
        expect(results).toEqual(solo.turns.map(({ result }) => result));
        const [own] = neighbours;
        expect(await own!.evaluate()).toEqual(solo.evaluation);
        await Promise.all(neighbours.map((episode) => episode.close()));
      });

      test("a closed episode rejects every call except close", async () => {
        const episode = await world.open(firstTaskId());
        await episode.close();
        await episode.close();
        await expect(episode.step("1")).rejects.toMatchObject({ name: "BowlineError" });
        await expect(episode.evaluate()).rejects.toMatchObject({ name: "BowlineError" });
        await expect(episode.fork()).rejects.toMatchObject({ name: "BowlineError" });
      });

      test("an aborted step rejects, and the episode goes on", async () => {
        await withEpisode(world, async (episode) => {
          const abort = new AbortController();
          const step = episode.step("let n = 7", abort.signal);
          abort.abort(new Error("enough"));
          await expect(step).rejects.toThrow("enough");
          expect(await episode.step("print(n)")).toMatchObject({ text: "7" });
          await expect(episode.step("n = 8", abort.signal)).rejects.toThrow("enough");
          expect(await episode.step("print(n)")).toMatchObject({ text: "7" });
        });
      });
    });

    describe("evaluation", () => {
      test("evaluate changes nothing, and an unfinished episode fails", async () => {
        const demonstration = await world.demonstrate(firstTaskId(), "careful", 1);
        await withEpisode(world, async (episode) => {
          for (const { code, result } of demonstration.turns) {
            const before = await episode.evaluate();
            expect(before).toMatchObject({ passed: false, finished: false });
            expect(await episode.evaluate()).toEqual(before);
            expect(await episode.step(code)).toEqual(result);
          }
          expect(await episode.evaluate()).toEqual(demonstration.evaluation);
        });
      });

      test("when the agent does nothing but finish, exactly the checks with the label guard pass", async () => {
        for (const { id } of world.tasks("train", SCENARIOS)) {
          const { checks } = await withEpisode(
            world,
            async (episode) => {
              await episode.step("apis.me.finishTask()");
              return episode.evaluate();
            },
            id,
          );
          for (const { label, passed } of checks) expect(label).toBe(passed ? "guard" : "progress");
          expect(checks.some(({ label }) => label === "progress")).toBe(true);
        }
      });

      test.each(splits)(
        "in split %s solutions pass, and finishing without doing anything fails",
        async (split) => {
          for (const { id } of world.tasks(split, SCENARIOS)) {
            const { evaluation } = await world.demonstrate(id, "careful", 1);
            expect(evaluation.checks.filter(({ passed }) => !passed)).toEqual([]);
            expect(evaluation).toMatchObject({ passed: true, finished: true });
            const idle = await withEpisode(
              world,
              async (episode) => {
                await episode.step("apis.me.finishTask()");
                return episode.evaluate();
              },
              id,
            );
            expect(idle).toMatchObject({ passed: false, finished: true });
          }
        },
      );
    });

    describe("determinism", () => {
      test("worlds with equal seeds give equal demonstrations in both styles", async () => {
        for (const { id } of world.tasks("train", SCENARIOS)) {
          for (const style of ["careful", "hasty"] as const) {
            const here = await world.demonstrate(id, style, 3);
            expect(await twin.demonstrate(id, style, 3)).toEqual(here);
            expect(await world.demonstrate(id, style, 3)).toEqual(here);
          }
        }
      });

      test("the time and random numbers in the sandbox depend only on the episode", async () => {
        const code =
          "apis.me.profile(); print(new Date().toISOString(), Date.now(), Math.random(), Math.random())";
        const here = await withEpisode(world, (episode) => episode.step(code));
        expect(await withEpisode(world, (episode) => episode.step(code))).toEqual(here);
        expect(await withEpisode(twin, (episode) => episode.step(code))).toEqual(here);
      });

      test("a fork behaves exactly like the original from then on, and each is independent", async () => {
        const { turns, evaluation } = await world.demonstrate(firstTaskId(), "careful", 1);
        const probe =
          "i += 1; print(i, Math.random(), Date.now(), JSON.stringify(apis.me.profile()))";
        await withEpisode(world, async (episode) => {
          await episode.step("let i = 0");
          await episode.step(probe);
          const fork = await episode.fork();
          expect(await fork.evaluate()).toEqual(await episode.evaluate());
          expect(await fork.step(probe)).toEqual(await episode.step(probe));
          const second = await fork.fork();
          for (const { code } of turns) await fork.step(code);
          expect(await fork.evaluate()).toEqual(evaluation);
          await fork.close();
          expect(await episode.evaluate()).toMatchObject({ finished: false });
          for (const { code } of [{ code: probe }, ...turns]) {
            expect(await second.step(code)).toEqual(await episode.step(code));
          }
          expect(await episode.evaluate()).toEqual(evaluation);
          await second.close();
        });
      });
    });
  });
}
