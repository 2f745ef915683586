import { beforeAll, expect, test } from "vitest";
import presents from "../../../examples/presents.ts";
import { defineWorld, type Solution, type TableRow } from "../define.ts";
import { WorldInstance } from "../episode/index.ts";
import { createSandbox, type Sandbox } from "../sandbox/index.ts";
import { countStatements, measureSolution } from "./measure-solution.ts";
import { computeSplitFacts } from "./split-facts.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});

/** Returns what the goal of the task of two sessions orders. */
function readIntendedOrder() {
  const [change] = new WorldInstance(presents, 1).prepareTask("train/1/1").checks.intended;
  return (change as { readonly after: TableRow }).after;
}

/** Measures the task of two sessions, whose notes hold all that it needs, or another solution of it. */
function measure(taskId: string, solution?: Solution) {
  const scenario: typeof presents.scenario = (request) =>
    presents.scenario(request).map((task) => (solution ? { ...task, solution } : task)) as never;
  const world = new WorldInstance(defineWorld({ ...presents, scenario }), 1);
  return measureSolution({ world, sandbox, taskId, seed: 1 }, true);
}

test("a solution that asks and waits needs both, and an API without which it passes is needless", async () => {
  const measured = await measure("train/0/1");
  expect(measured).toMatchObject({ needsWaiting: true, needsAsking: true, needsProse: false });
  expect(measured.needless).toEqual([]);
  expect(measured.apis).toEqual([
    "owner.ask",
    "me.wait",
    "owner.listMessages",
    "shop.list",
    "shop.order",
    "me.finishTask",
  ]);
  const noted = await measure("train/1/1", function* () {
    yield `try { apis.post.inbox({}) } catch {}
apis.me.wait({minutes:1});
apis.notes.add({text:"The present is the one in the shop. Remember it."});
apis.me.finishTask({});`;
    const { product, present } = readIntendedOrder();
    yield `if(apis.notes.list({})[0].text==="") throw new Error("nothing noted");
apis.shop.order({product:${product},present:"${present}"});
apis.me.finishTask({});`;
  });
  expect(noted.needless).toEqual(["post.inbox"]);
  expect(noted).toMatchObject({ needsWaiting: false, needsAsking: false, needsProse: true });
  expect(computeSplitFacts([measured, noted])).toMatchObject({
    distinctApis: { mean: 5.5, max: 6 },
    waits: 0.5,
    asks: 0.5,
    prose: 0.5,
    necessity: { tasks: 2, apis: 12, needed: 11 },
  });
});

test("statements are counted without blocks", () => {
  expect(countStatements("var a=1; for (const b of [a]) { print(b); }")).toBe(4);
  expect(countStatements("await f((x)=>x)")).toBe(1);
});
