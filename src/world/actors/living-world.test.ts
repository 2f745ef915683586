import { beforeAll, describe, expect, test } from "vitest";
import borrowing, { messages, things } from "../../../examples/borrowing.ts";
import { checkTask } from "../check/index.ts";
import { AGENT, defineActor, defineWorld, type WorldDefinition } from "../define.ts";
import { demonstrate, LiveEpisode, WorldInstance } from "../episode/index.ts";
import { createSandbox, type Sandbox } from "../sandbox/index.ts";
import { atMostOnce, inOrder, never, writes } from "./rules.ts";
import { collectAgentWriting } from "./written-by.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});

const world = new WorldInstance(borrowing, 1);
const taskIds = world.tasks("train").map(({ id }) => id);

async function withEpisode<T>(
  taskId: string,
  use: (episode: LiveEpisode) => Promise<T>,
  of = world,
): Promise<T> {
  const episode = LiveEpisode.open(of, sandbox, taskId);
  try {
    return await use(episode);
  } finally {
    episode.close();
  }
}

const thingOf = (taskId: string) =>
  /the (\w+) by/.exec(world.findTask(taskId).info.instruction)![1]!;
const ask = (name: string) =>
  `var thing=apis.shed.find({name:"${name}"}); apis.post.send({to:thing.owner,text:"May I borrow the ${name}?"});`;

describe("a world with actors", () => {
  test.each(taskIds)("the solution of %s passes, and every mutant fails", async (taskId) => {
    const report = await checkTask(world, sandbox, taskId, 1);
    expect(report).toMatchObject({
      solutionPass: true,
      noopFail: true,
      survivors: [],
      rejected: [],
      exceptions: [],
    });
    expect(report.mutants).toBeGreaterThan(3);
  });

  test("an actor answers after a while, and a wait ends at its notice", () =>
    withEpisode(taskIds[0]!, async (episode) => {
      const { stdout } = await episode.step(
        `${ask(thingOf(taskIds[0]!))} print(apis.me.wait({minutes:600}));`,
      );
      expect(stdout).toContain("has sent a message.");
      const minutes = (Date.parse(world.dispatcher.now(episode.session)) - START) / 60_000;
      expect(minutes).toBeGreaterThanOrEqual(20);
      expect(minutes).toBeLessThan(91);
      expect(episode.session.living!.history.map(({ author }) => author)).toEqual([
        AGENT,
        "trader",
        "neighbours",
      ]);
    }));

  test("a wait without an event ends at its time, and listNotices shows nothing", () =>
    withEpisode(taskIds[0]!, async (episode) => {
      const { stdout } = await episode.step(
        `print(apis.me.wait({until:"2026-03-02T12:00:00Z"}).now, apis.me.listNotices({}).items.length);`,
      );
      expect(stdout).toBe("2026-03-02T12:00:00Z 0\n");
    }));

  test.each([
    ["{}", "expected either minutes or until"],
    ['{minutes:5,until:"2026-03-02T12:00:00Z"}', "expected either minutes or until"],
    ['{until:"soon"}', "until: expected an ISO instant"],
    ['{until:"2026-03-02T08:00:00Z"}', "is not after"],
    ['{until:"2026-06-02T08:00:00Z"}', "within 30 days"],
    ["{minutes:-1}", "minutes"],
  ])("wait(%s) is refused", (args, message) =>
    withEpisode(taskIds[0]!, async (episode) => {
      const { error } = await episode.step(`apis.me.wait(${args});`);
      expect(error!.message).toContain(message);
    }),
  );

  test("a fetch before the permission breaks the rule, although the final rows are right", () =>
    withEpisode(findTask(false), async (episode) => {
      await episode.step(
        `${ask(thingOf(episode.start.info.id))} apis.shed.fetch({id:thing.id}); apis.me.wait({minutes:120}); apis.me.finishTask({});`,
      );
      const failed = episode.evaluate().checks.filter(({ passed }) => !passed);
      expect(failed.map(({ name }) => name)).toEqual(["allowed before fetched"]);
    }));

  test("what others write is not the agent's: waiting for days changes no check", () =>
    withEpisode(findTask(false), async (episode) => {
      await episode.step(`apis.me.wait({minutes:5000}); ${ask(thingOf(episode.start.info.id))}
apis.me.wait({minutes:120}); apis.shed.fetch({id:thing.id}); apis.me.wait({minutes:5000}); apis.me.finishTask({});`);
      expect(episode.evaluate()).toMatchObject({ passed: true });
    }));

  test("the same question gets the same answer, whatever came before it", async () => {
    const answerAfter = (before: string) =>
      withEpisode(findTask(false), async (episode) => {
        const name = thingOf(episode.start.info.id);
        await episode.step(`${before} ${ask(name)} apis.me.wait({minutes:120});`);
        return (await episode.step("print(apis.post.inbox({}).at(-1).text)")).stdout;
      });
    const answers = [
      await answerAfter(""),
      await answerAfter("apis.me.wait({minutes:77}); apis.post.inbox({});"),
      await answerAfter(
        'apis.post.send({to:"Ada",text:"Good morning!"}); apis.me.wait({minutes:300});',
      ),
    ];
    expect(new Set(answers).size).toBe(1);
  });

  test("forks in the middle of the queue are equal to replays", async () => {
    for (const taskId of taskIds) {
      const { turns } = await withEpisode(taskId, (e) => demonstrate(e, "careful", 1));
      for (let at = 1; at < turns.length; at++) {
        await withEpisode(taskId, async (episode) => {
          await episode.replay(turns.slice(0, at));
          const fork = episode.fork();
          for (const { code } of turns.slice(at)) await fork.step(code);
          expect(fork.session.living!.history).not.toBe(episode.session.living!.history);
          await episode.replay(turns.slice(at));
          expect(describeState(fork)).toEqual(describeState(episode));
          fork.close();
        });
      }
    }
  });

  test("a call that fails keeps no event that was due, and the next call runs it", () =>
    withEpisode(taskIds[0]!, async (episode) => {
      episode.session.calls = 3600;
      const wrong = episode.call("shed", "fetch", { id: 99 });
      expect(wrong).toMatchObject({ ok: false, status: 404 });
      expect(episode.session.living!.history).toEqual([]);
      const { value } = episode.call("post", "inbox", {}) as { value: unknown };
      expect(value).toEqual([{ from: "Trader", text: "Buy a new ladder today!" }]);
      expect(episode.session.living!.history[0]).toMatchObject({
        at: "2026-03-02T09:10:00Z",
        author: "trader",
      });
    }));
});

const START = Date.parse("2026-03-02T09:00:00Z");

/** Returns a task whose thing is lent out, or not. */
function findTask(lentOut: boolean): string {
  return taskIds.find((id) => {
    const { state } = world.prepareTask(id);
    return state.where(things, { name: thingOf(id) })[0]!.lentOut === lentOut;
  })!;
}

function describeState({ session, start }: LiveEpisode) {
  return {
    changes: session.state.changesSince(start.state),
    history: session.living!.history,
    now: world.dispatcher.now(session),
  };
}

describe("mistakes in actors are blamed on them", () => {
  const withChanges = (changes: Partial<WorldDefinition>) =>
    new WorldInstance(defineWorld({ ...borrowing, ...changes }), 1);

  test("an event that fails is a fault of the call, with its actor", () => {
    const broken = defineActor({
      name: "trader",
      events: {
        offer: () => {
          throw new Error("no stock");
        },
      },
    });
    const of = withChanges({ actors: [broken] });
    return withEpisode(
      "train/0/1",
      async (episode) => {
        const { calls } = await episode.step("apis.me.wait({minutes:60})");
        expect(calls[0]).toMatchObject({ status: 500 });
        expect(calls[0]!.fault!.message).toContain("no stock");
      },
      withGoalWithoutTime(of),
    );
  });

  test.each([
    [
      "an unknown event",
      { offr: () => {} },
      'the actor trader has no event "offer" (did you mean offr?)',
    ],
    ["events that never end", {}, "the actor trader has no event"],
  ])("%s", (_, events, message) => {
    const of = withChanges({ actors: [defineActor({ name: "trader", events })] });
    expect(() => of.prepareTask("train/0/1")).toThrow(message);
  });

  test("actors that answer each other for ever are stopped", () => {
    const echo = defineActor({
      name: "trader",
      events: { offer: ({ schedule }) => schedule("offer", 0) },
    });
    const of = withChanges({ actors: [echo] });
    expect(() => of.prepareTask("train/0/1")).toThrow("more than 1000 events in one call");
  });
});

/** Replaces the goals of a world's tasks, so that only calls run events. */
function withGoalWithoutTime(of: WorldInstance): WorldInstance {
  const { definition, seed } = of;
  const scenario: WorldDefinition["scenario"] = (request) => {
    const tasks = definition.scenario(request);
    return tasks.map((task) => ({ ...task, goal: () => undefined })) as unknown as typeof tasks;
  };
  return new WorldInstance({ ...definition, scenario }, seed);
}

describe("rules about the order of what was written", () => {
  const entry = (author: string, text: string, at = "1") => ({
    at,
    author,
    rows: [
      {
        table: messages.name,
        id: 1,
        kind: "insert" as const,
        after: { id: 1, from: "a", to: "b", text, sentAt: at },
      },
    ],
  });
  const says = (word: string, author = AGENT) =>
    writes(word, messages, ({ text }) => text === word, author);
  const explain = (rule: ReturnType<typeof never>, ...history: ReturnType<typeof entry>[]) =>
    rule.explain(history, world.copyPopulation());

  test("inOrder wants an earlier entry before each later one", () => {
    const rule = inOrder("order", says("yes", "boss"), says("go"));
    expect(explain(rule)).toBeUndefined();
    expect(explain(rule, entry("boss", "yes"), entry(AGENT, "go"))).toBeUndefined();
    expect(explain(rule, entry(AGENT, "go", "9"), entry("boss", "yes"))).toBe(
      "go at 9 without yes before it",
    );
    expect(explain(rule, entry(AGENT, "yes"), entry(AGENT, "go"))).toContain("without yes");
  });

  test("atMostOnce and never count the author's own writing", () => {
    const once = atMostOnce("once", says("hi"));
    expect(explain(once, entry(AGENT, "hi"), entry("boss", "hi"))).toBeUndefined();
    expect(explain(once, entry(AGENT, "hi"), entry(AGENT, "hi"))).toBe("hi 2 times");
    expect(explain(never("silence", says("hi")), entry(AGENT, "hi", "4"))).toBe("hi at 4");
  });
});

test("reading what another author added is no writing, and changing it is", () => {
  const { catalog } = world.dispatcher;
  const row = { id: 1, from: "Ada", to: "Robin", text: "Hello", sentAt: "1" };
  const added = { table: messages.name, id: 1, kind: "insert" as const, after: row };
  const change = (columns: Partial<typeof row>) => ({
    ...{ table: messages.name, id: 1, kind: "update" as const, before: row },
    after: { ...row, ...columns },
  });
  const collect = (columns: Partial<typeof row>) =>
    collectAgentWriting(catalog, [
      { at: "1", author: "neighbours", rows: [added] },
      { at: "2", author: AGENT, rows: [change(columns)] },
    ]).changes;
  expect(collect({ sentAt: "2" })).toEqual([]);
  expect(collect({ text: "Bye" })).toEqual([{ ...added, after: { ...row, text: "Bye" } }]);
});
