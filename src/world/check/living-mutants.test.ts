import { beforeAll, describe, expect, test } from "vitest";
import presents from "../../../examples/presents.ts";
import { Rng } from "../../core/index.ts";
import { defineWorld, type Wrong } from "../define.ts";
import { WorldInstance } from "../episode/index.ts";
import { createSandbox, type Sandbox } from "../sandbox/index.ts";
import { checkTask } from "./check-task.ts";
import { makeLivingMutants } from "./living-mutants.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});

const call = (app: string, api: string, args = {}) => ({ app, api, args });

test("mutants of time and people come from the waits, the questions and the writes of a solution", () => {
  const calls = [
    call("owner", "ask", { question: "Which?" }),
    call("me", "wait", { minutes: 60 }),
    call("shop", "order", { product: 1 }),
    call("me", "finishTask"),
  ];
  const named = makeLivingMutants(calls, [2], new Rng(1)).map(({ name, calls }) => [
    name,
    calls.map(({ api }) => api).join(" "),
  ]);
  expect(named).toEqual([
    ["too early: without wait 1", "ask order finishTask"],
    ["too early: shop.order before wait 1", "ask order wait finishTask"],
    ["too late: two months before shop.order", "ask wait wait wait wait wait order finishTask"],
    ['decide without owner.ask({"question":"Which?"})', "wait order finishTask"],
    ['asked twice: owner.ask({"question":"Which?"})', "ask wait order ask finishTask"],
    ["bothered needlessly", "ask wait order ask ask ask finishTask"],
  ]);
});

describe("mistakes that a task declares", () => {
  const check = (taskId: string, wrongs: readonly Wrong[]) => {
    const scenario: typeof presents.scenario = (request) =>
      presents.scenario(request).map((task) => ({ ...task, wrongs })) as never;
    return checkTask(
      new WorldInstance(defineWorld({ ...presents, scenario }), 1),
      sandbox,
      taskId,
      1,
    );
  };
  const survivors = async (taskId: string, ...wrongs: Wrong[]) =>
    (await check(taskId, wrongs)).survivors;

  test.each(["train/0/1", "train/1/1"])(
    "count as mutants in %s when they are rejected",
    async (id) => {
      const order = { name: "one too many", code: `apis.shop.order({product:1,present:"Eve"})` };
      const idle = { name: "idle", *solution() {} };
      const [without, withTwo] = [await check(id, []), await check(id, [order, idle])];
      expect(withTwo.survivors).toEqual([]);
      expect(withTwo.mutants).toBe(without.mutants + 2);
    },
  );

  test("survive when they are accepted, or cannot be made", async () => {
    const found = await survivors(
      "train/1/1",
      { name: "looks", code: "apis.shop.list({})" },
      { name: "breaks", code: `apis.shop.order({product:99,present:"Eve"})` },
      {
        name: "throws",
        *solution() {
          yield "1";
          throw new Error("no idea");
        },
      },
    );
    expect(found.map(({ mutant, why }) => `${mutant}: ${why}`)).toEqual([
      expect.stringMatching(/^looks: all \d+ checks passed$/),
      expect.stringContaining("breaks: its code failed: ApiError: 404 there is no product 99"),
      expect.stringContaining("throws: it could not be made"),
    ]);
  });
});
