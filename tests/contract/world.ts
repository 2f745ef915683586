/**
 * What every World keeps, whatever is inside it. A world passes by `describeWorld(name, (seed) => openWorld(...))`.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMPOSED_SPLITS, type Episode, type Split, type World } from "../../src/spec/index.ts";

/** Solved in each split; the proof over many tasks is `bowline world check`. */
const SCENARIOS = 4;

/** `splits`: those that the world has tasks for. */
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

    const first = (of = world) => of.tasks("train", 1)[0]!.id;

    async function within<T>(
      of: World,
      use: (episode: Episode) => Promise<T>,
      id = first(),
    ): Promise<T> {
      const episode = await of.open(id);
      try {
        return await use(episode);
      } finally {
        await episode.close();
      }
    }

    describe("tasks", () => {
      test.each(splits)(
        "%s: three variants a scenario, one signature each, ids unique",
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

      test("a list is a prefix of any longer list, and the default list has tasks", () => {
        expect(world.tasks("dev", 9).slice(0, 12)).toEqual(world.tasks("dev", 4));
        for (const split of splits) expect(world.tasks(split).length).toBeGreaterThan(0);
      });

      test("the same seed gives the same tasks, another seed gives others", async () => {
        for (const split of splits) expect(twin.tasks(split, 20)).toEqual(world.tasks(split, 20));
        const other = await makeWorld(2);
        expect(other.tasks("train", 20)).not.toEqual(world.tasks("train", 20));
        await other.close();
      });

      test.each(["nowhere/0/1", "train/0/4", "train/x/1", ""])("open(%j) rejects", async (id) => {
        await expect(world.open(id)).rejects.toMatchObject({ name: "BowlineError", code: "world" });
      });
    });

    describe("episodes", () => {
      test("print comes back, variables persist, an error is data and keeps what was printed", async () => {
        await within(world, async (episode) => {
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

      test("a limit is data, says which, and the episode goes on", async () => {
        await within(world, async (episode) => {
          const stopped = await episode.step("print('a'); while (true) {}");
          expect(stopped).toMatchObject({ status: "limit", limit: "fuel", stdout: "a\n" });
          expect(stopped.text).toMatch(/^a\nLimit \(fuel\)/);
          expect(await episode.step("print(1)")).toMatchObject({ status: "ok", text: "1" });
        });
      });

      test("calls are recorded in order with their status", async () => {
        const code =
          "print(apis.me.profile().name); try { apis.me.profile({ x: 1 }) } catch (e) { print(e.message) }";
        const { calls, text } = await within(world, (episode) => episode.step(code));
        expect(calls).toEqual([
          { app: "me", api: "profile", args: {}, status: 200, wrote: false },
          { app: "me", api: "profile", args: { x: 1 }, status: 422, wrote: false },
        ]);
        expect(text).toMatch(/me\.profile has no parameter "x"/);
      });

      test("documentation covers every API of every app", async () => {
        const all = `const all = (list) => { const out = []; for (let page = 1; ; page++) {
            const { items, more } = list(page); out.push(...items.map(({ name }) => name)); if (!more) return out; } };`;
        await within(world, async (episode) => {
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

      test("finishing ends the episode: once, and no cell runs after it", async () => {
        await within(world, async (episode) => {
          const twice = "apis.me.finishTask(); apis.me.finishTask()";
          const ended = await episode.step(twice);
          expect(ended).toMatchObject({ status: "error", finished: true });
          expect(ended.calls.map(({ status }) => status)).toEqual([200, 409]);
          const refused = await episode.step("print(1)");
          expect(refused).toMatchObject({ status: "error", stdout: "", calls: [], finished: true });
        });
      });

      test("neighbours in one task and in others do not see each other", async () => {
        const ids = world.tasks("train", 2).map(({ id }) => id);
        const solo = await world.demonstrate(first(), "careful", 1);
        const neighbours = await Promise.all([first(), ...ids].map((id) => world.open(id)));
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

      test("a closed episode rejects everything but close", async () => {
        const episode = await world.open(first());
        await episode.close();
        await episode.close();
        await expect(episode.step("1")).rejects.toMatchObject({ name: "BowlineError" });
        await expect(episode.evaluate()).rejects.toMatchObject({ name: "BowlineError" });
        await expect(episode.fork()).rejects.toMatchObject({ name: "BowlineError" });
      });

      test("an aborted wait rejects, the episode lives on", async () => {
        await within(world, async (episode) => {
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
      test("is pure, and an unfinished episode fails", async () => {
        const demonstration = await world.demonstrate(first(), "careful", 1);
        await within(world, async (episode) => {
          for (const { code, result } of demonstration.turns) {
            const before = await episode.evaluate();
            expect(before).toMatchObject({ passed: false, finished: false });
            expect(await episode.evaluate()).toEqual(before);
            expect(await episode.step(code)).toEqual(result);
          }
          expect(await episode.evaluate()).toEqual(demonstration.evaluation);
        });
      });

      test("labels say what doing nothing passes", async () => {
        for (const { id } of world.tasks("train", SCENARIOS)) {
          const { checks } = await within(world, (episode) => episode.evaluate(), id);
          for (const { label, passed } of checks) expect(label).toBe(passed ? "guard" : "progress");
          expect(checks.some(({ label }) => label === "progress")).toBe(true);
        }
      });

      test.each(splits)("%s: solutions pass, finishing at once fails", async (split) => {
        for (const { id } of world.tasks(split, SCENARIOS)) {
          const { evaluation } = await world.demonstrate(id, "careful", 1);
          expect(evaluation.checks.filter(({ passed }) => !passed)).toEqual([]);
          expect(evaluation).toMatchObject({ passed: true, finished: true });
          const idle = await within(
            world,
            async (episode) => {
              await episode.step("apis.me.finishTask()");
              return episode.evaluate();
            },
            id,
          );
          expect(idle).toMatchObject({ passed: false, finished: true });
        }
      });
    });

    describe("determinism", () => {
      test("equal worlds give equal demonstrations, in either style", async () => {
        for (const { id } of world.tasks("train", SCENARIOS)) {
          for (const style of ["careful", "hasty"] as const) {
            const here = await world.demonstrate(id, style, 3);
            expect(await twin.demonstrate(id, style, 3)).toEqual(here);
            expect(await world.demonstrate(id, style, 3)).toEqual(here);
          }
        }
      });

      test("time and chance inside the sandbox come from the episode alone", async () => {
        const code =
          "apis.me.profile(); print(new Date().toISOString(), Date.now(), Math.random(), Math.random())";
        const here = await within(world, (episode) => episode.step(code));
        expect(await within(world, (episode) => episode.step(code))).toEqual(here);
        expect(await within(twin, (episode) => episode.step(code))).toEqual(here);
      });

      test("a fork is bit-equal from there on, and independent", async () => {
        const { turns, evaluation } = await world.demonstrate(first(), "careful", 1);
        const probe =
          "i += 1; print(i, Math.random(), Date.now(), JSON.stringify(apis.me.profile()))";
        await within(world, async (episode) => {
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
