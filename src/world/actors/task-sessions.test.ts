import { beforeAll, describe, expect, test } from "vitest";
import presents from "../../../examples/presents.ts";
import { defineWorld } from "../define.ts";
import { demonstrate, LiveEpisode, WorldInstance } from "../episode/index.ts";
import { createSandbox, type Sandbox } from "../sandbox/index.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});

const world = new WorldInstance(presents, 1);
const taskId = "train/1/1";
const LATER = world.findTask(taskId).task.sessions![0]!;

async function withEpisode(use: (episode: LiveEpisode) => Promise<void>) {
  const episode = LiveEpisode.open(world, sandbox, taskId);
  try {
    await use(episode);
  } finally {
    episode.close();
  }
}

const END = "apis.me.finishTask({})";

describe("a task of two sessions", () => {
  test("finishTask ends the session, and the next cell runs in an empty console a day later", () =>
    withEpisode(async (episode) => {
      const ended = await episode.step(`var secret=1; apis.notes.add({text:"kept"}); ${END}`);
      expect(ended).toMatchObject({
        finished: false,
        nextSession: { number: 2, instruction: LATER.instruction },
        text: `Session 2 begins. ${LATER.instruction}`,
      });
      const next = await episode.step(
        "print(typeof secret, apis.notes.list({})[0].text, new Date().toISOString())",
      );
      expect(next.stdout).toBe("undefined kept 2026-03-03T09:00:03.000Z\n");
      expect(next.nextSession).toBeUndefined();
      expect(await episode.step(END)).toMatchObject({ finished: true });
    }));

  test("nothing can be called after the end of a session within the same cell", () =>
    withEpisode(async (episode) => {
      const { error, nextSession } = await episode.step(`${END}; apis.notes.list({});`);
      expect(error!.message).toContain("this session is over");
      expect(nextSession).toBeDefined();
    }));

  test("a session that ends in a cell that reaches a limit is followed by the next one", () =>
    withEpisode(async (episode) => {
      const result = await episode.step(`${END}; for(;;);`);
      expect(result).toMatchObject({
        status: "limit",
        finished: false,
        nextSession: { number: 2 },
      });
    }));

  test("finishing the first session alone is not enough", () =>
    withEpisode(async (episode) => {
      await episode.step(END);
      expect(episode.evaluate()).toMatchObject({ passed: false, finished: false });
    }));

  test("forks and replays at every cell are equal, also between two sessions", async () => {
    const solve = LiveEpisode.open(world, sandbox, taskId);
    const { turns, evaluation } = await demonstrate(solve, "careful", 1);
    expect(evaluation.passed).toBe(true);
    solve.close();
    const cells = turns.map(({ code }) => ({ code }));
    for (let at = 0; at < cells.length; at++) {
      await withEpisode(async (episode) => {
        await episode.replay(cells.slice(0, at));
        const fork = episode.fork();
        for (const { code } of cells.slice(at)) await fork.step(code);
        await episode.replay([{ calls: [] }, ...cells.slice(at)]);
        expect(fork.session.state.changesSince(fork.start.state)).toEqual(
          episode.session.state.changesSince(episode.start.state),
        );
        expect(fork.session.living!.history).toEqual(episode.session.living!.history);
        fork.close();
      });
    }
  });

  test.each([
    ["a world without actors", { actors: [] }, "only tasks of a world with actors"],
    ["a session without instruction", { minutes: 5 }, "sessions: expected a list of { instruction"],
    ["a session in the past", { instruction: "Go on.", minutes: -5 }, "minutes from 0 on"],
  ])("%s is refused", (_, change, message) => {
    const definition = { ...presents, ...("actors" in change ? change : {}) };
    const sessions = "actors" in change ? [LATER] : [change];
    const scenario = (request: Parameters<typeof presents.scenario>[0]) =>
      presents.scenario(request).map((task) => ({
        ...task,
        ...{ sessions, goal: () => undefined, setup: () => {} },
      })) as never;
    const broken = new WorldInstance(defineWorld({ ...definition, scenario }), 1);
    expect(() => broken.prepareTask(taskId)).toThrow(message);
  });
});
