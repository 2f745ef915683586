import { beforeAll, describe, expect, test } from "vitest";
import presents, { products } from "../../../examples/presents.ts";
import { checkTask } from "../check/index.ts";
import { LiveEpisode, WorldInstance } from "../episode/index.ts";
import { createSandbox, type Sandbox } from "../sandbox/index.ts";
import { recogniseQuestion } from "./recognise-question.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});

const world = new WorldInstance(presents, 1);
const taskIds = world.tasks("train").map(({ id }) => id);

async function withEpisode(taskId: string, use: (episode: LiveEpisode) => Promise<void>) {
  const episode = LiveEpisode.open(world, sandbox, taskId);
  try {
    await use(episode);
  } finally {
    episode.close();
  }
}

const findTask = (ending: RegExp) =>
  taskIds.find((id) => {
    const { state } = world.prepareTask(id);
    return world.dispatcher.catalog.tables
      .filter(({ name }) => name === "owner.topics" || name === "owner.reactions")
      .some((table) => ending.test(JSON.stringify(state.all(table))));
  })!;

describe("a world with a scripted owner", () => {
  test.each(taskIds)("the solution of %s passes, and every mutant fails", async (taskId) => {
    expect(await checkTask(world, sandbox, taskId, 1)).toMatchObject({
      ...{ solutionPass: true, noopFail: true },
      ...{ survivors: [], rejected: [], exceptions: [] },
    });
  });

  test.each([
    ["What colour do you want?", /^(red|green|blue), please\.$/],
    ["Which colors would be best?", /, please\.$/],
    ["Shall I wrap it?", /^I don't mind, decide yourself\.$/],
    ["How much is it?", /^Please look that up yourself\.$/],
  ])("%s", (question, answer) =>
    withEpisode(taskIds[0]!, async (episode) => {
      const { stdout } = await episode.step(
        `apis.owner.ask({question:${JSON.stringify(question)}}); apis.me.wait({minutes:31}); print(apis.owner.listMessages({}).items[0].text)`,
      );
      expect(stdout.trim()).toMatch(answer);
    }),
  );

  test("asking twice and bothering break their rules, and nothing else", () =>
    withEpisode(findTask(/go ahead/), async (episode) => {
      const { state } = world.prepareTask(episode.start.info.id);
      const [, thing] = /Order a (\w+)/.exec(episode.start.info.instruction)!;
      const ask = (text: string) =>
        episode.step(
          `apis.owner.ask({question:${JSON.stringify(text)}}); apis.me.wait({minutes:31})`,
        );
      for (const text of ["Which colour?", "What color?", "Why?", "Shall I wrap it?"])
        await ask(text);
      const said = await episode.step("print(apis.owner.listMessages({}).items[2].text)");
      expect(said.stdout).toMatch(/^I have told you already: /);
      const broken = () =>
        episode
          .evaluate()
          .checks.filter(
            ({ name, passed }) => /^the owner is (asked nothing|not)|^agreed/.test(name) && !passed,
          )
          .map(({ name }) => name);
      expect(broken()).toEqual([
        "the owner is asked nothing twice",
        "the owner is not bothered needlessly",
      ]);
      const [product] = state.where(products, { name: thing! });
      await episode.step(`apis.shop.order({product:${product!.id},present:"Ada"})`);
      expect(broken()).toContain("agreed before ordered");
    }));
});

describe("recognising a question", () => {
  const topic = (name: string, words: readonly string[], isNeedless = false) => ({
    ...{ id: 1, name, words, answer: "", decision: null, isNeedless },
  });
  const topics = [
    topic("budget", ["budget|spend|cost"]),
    topic("hotel budget", ["budget|spend|cost", "hotel"]),
    topic("seat", ["window seat|aisle"]),
    topic("leave", ["book|order", "1250"]),
  ];
  test.each([
    ["What may I spend?", "budget", "answered"],
    ["What may I spend on hotels?", "hotel budget", "answered"],
    ["Which seat?", null, "unknown"],
    ["Do you want a seat at the window?", "seat", "answered"],
    ["Shall I book it for $1,250.00?", "leave", "answered"],
    ["Shall I book it for $125?", null, "unknown"],
    ["budget hotel window seat aisle book 1250", null, "unclear"],
  ])("%s is about %s", (text, name, outcome) => {
    expect(recogniseQuestion(text, topics, [])).toEqual({ topic: name, outcome });
  });

  test("a topic that was asked before is repeated, and a needless one is never answered", () => {
    const asked = [{ id: 1, at: "", text: "", topic: "budget", outcome: "answered" as const }];
    expect(recogniseQuestion("The budget?", topics, asked).outcome).toBe("repeated");
    expect(recogniseQuestion("The time?", [topic("time", ["time"], true)], []).outcome).toBe(
      "needless",
    );
  });
});
