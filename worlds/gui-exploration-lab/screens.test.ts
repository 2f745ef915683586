import { WorldUnderTest } from "bowline/testing";
import { Rng } from "bowline/world";
import { expect, test } from "vitest";
import oneTurn from "./one-turn.ts";
import { drawGraph, shortestWay } from "./screens.ts";
import search from "./search.ts";

const worlds = { search, "one turn": oneTurn };

test.each(Object.entries(worlds))(
  "%s: solutions pass, doing nothing and mutants fail, equivalents pass",
  async (_, definition) => {
    const world = new WorldUnderTest(definition, 1);
    for (const id of ["train/0/1", "train/1/2", "test-normal/2/3"]) {
      const report = await world.check(id);
      expect(report).toMatchObject({ solutionPass: true, noopFail: true });
      expect(report).toMatchObject({ survivors: [], rejected: [], exceptions: [] });
    }
  },
);

test("a graph follows from its seed, and the shortest way leads along its icons", () => {
  const size = { branching: 3, depth: 2 };
  const graph = drawGraph(new Rng(7), size);
  expect(drawGraph(new Rng(7), size)).toEqual(graph);
  expect(drawGraph(new Rng(8), size)).not.toEqual(graph);
  expect(graph.icons.size).toBe(13);
  for (const target of graph.icons.keys()) {
    let screen = "home";
    for (const icon of shortestWay(graph, target)) {
      expect(graph.icons.get(screen)).toContain(icon);
      screen = icon;
    }
    expect(screen).toBe(target);
  }
});

test("both worlds have the same unseen searches, and only training tasks of one turn differ", () => {
  const [searches, taps] = [search, oneTurn].map((one) => new WorldUnderTest(one, 1));
  const instructions = (world: WorldUnderTest, split: "train" | "test-normal") =>
    world.tasks(split, 10).map(({ instruction }) => instruction);
  expect(instructions(taps!, "test-normal")).toEqual(instructions(searches!, "test-normal"));
  expect(instructions(taps!, "train")).not.toEqual(instructions(searches!, "train"));
});

test("a search may go back, and taps of icons that a screen has not are refused", async () => {
  const world = new WorldUnderTest(search, 1);
  const { id, instruction } = world.tasks("dev", 3)[4]!;
  const [, target = ""] = /open "(\w+)"\n/.exec(instruction)!;
  const icons = JSON.parse(instruction.split("home ")[1]!) as string[];
  const { turns, evaluation } = await world.demonstrate(id, {
    *solution() {
      for (const icon of icons) {
        const { stdout } = yield `print(apis.gui.tap({icon:"${icon}"}))`;
        const isNear = stdout.includes(`"${target}"`);
        yield isNear ? `print(apis.gui.tap({icon:"${target}"}))` : "print(apis.gui.back())";
        if (isNear) break;
      }
      yield 'print(apis.gui.tap({icon:"none"}))';
      yield "apis.me.finishTask()";
    },
  });
  expect(turns.at(-2)!.result.error?.message).toContain("has no icon none");
  expect(evaluation.passed).toBe(true);
});
