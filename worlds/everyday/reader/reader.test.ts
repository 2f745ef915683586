/**
 * Tests that the reader agrees with the generator on every instruction that it can read, that it reads a good share of
 * them, and that it notices an instruction that says something else.
 */
import { readdirSync, readFileSync } from "node:fs";
import { COMPOSED_SPLITS, scenarioComposer } from "bowline/goals";
import { WorldUnderTest } from "bowline/testing";
import { describe, expect, test } from "vitest";
import { fullApps } from "../apps/full.ts";
import everyday, { CHALLENGE_APPS } from "../everyday.ts";
import { LANGUAGE } from "../language.ts";
import { allParts } from "../parts/index.ts";
import { peopleOf } from "../population.ts";
import { sweepSize } from "../tests/sweep.ts";
import { type Agreement, compareReading } from "./agreement.ts";

/** The seeds and the scenarios of a split that are read; in a whole sweep, all scenarios of ten seeds. */
const seeds = sweepSize([1], [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
const scenarios = sweepSize(30, 180);

/** The generator without the reader's veto, so that the reader's own mistakes show. */
const withoutVeto = {
  ...everyday,
  scenario: scenarioComposer({
    parts: allParts,
    language: LANGUAGE,
    challenge: CHALLENGE_APPS,
    people: peopleOf,
  }),
};

/** The tasks of a world with their start states, and a comparison of the task with another instruction. */
function openTasks(seed: number) {
  const world = new WorldUnderTest(withoutVeto, seed);
  return COMPOSED_SPLITS.flatMap((split) =>
    world.tasks(split, Math.min(scenarios, everyday.scenarios[split] ?? 0)),
  ).map(({ id, signature }) => {
    const { task, state } = world.prepareTask(id);
    const compare = (instruction: string): Agreement =>
      compareReading({ ...task, instruction }, state, () => world.makeScratch(state));
    return { id, signature, instruction: task.instruction, compare };
  });
}

describe("the reader of instructions", () => {
  const tasks = seeds.flatMap(openTasks);
  const read = tasks
    .map((task) => ({ ...task, agreement: task.compare(task.instruction) }))
    .filter(({ agreement }) => agreement !== "unread");

  test("agrees with the goal on every instruction that it reads", () => {
    const differing = read.filter(({ agreement }) => agreement === "differs");
    expect(differing.map(({ id, instruction }) => `${id}: ${instruction}`)).toEqual([]);
  });

  test("reads at least 97 of 100 instructions about sets", () => {
    const isAboutSet = ({ signature }: { readonly signature: string }) =>
      /\[(?!titled\])| \? /.test(signature);
    const aboutSets = tasks.filter(isAboutSet);
    expect(read.filter(isAboutSet).length / aboutSets.length).toBeGreaterThan(0.97);
  });

  test("names only tables that exist", () => {
    const known = new Set(fullApps.flatMap(({ tables }) => tables).map(({ name }) => name));
    const folder = new URL(".", import.meta.url);
    const named = readdirSync(folder)
      .filter((name) => name.endsWith("things.ts"))
      .flatMap((name) => [
        ...readFileSync(new URL(name, folder), "utf8").matchAll(
          /tables\(\s*"([^"]+)"|belonging\(tables, "([^"]+)"|table: "([^"]+)"/g,
        ),
      ])
      .map((match) => match[1] ?? match[2] ?? match[3]!);
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test("notices an instruction whose bound points the other way", () => {
    const flip = (text: string) =>
      text
        .replace(/(\$\d[\d.]*|\d) or more/, "$1 or less")
        .replace(/(of|with|costs?) at least (\$)/, "$1 at most $2")
        .replace(/(\d{4}) or later/, "$1 or earlier");
    const changed = read.filter(({ instruction }) => flip(instruction) !== instruction);
    expect(changed.length).toBeGreaterThan(10);
    const verdicts = changed.map(({ compare, instruction }) => compare(flip(instruction)));
    const share = (verdict: Agreement) =>
      verdicts.filter((one) => one === verdict).length / verdicts.length;
    // The changed words may make a sentence that the reader does not know.
    expect(share("differs")).toBeGreaterThan(0.5);
    expect(share("agrees")).toBeLessThan(0.1);
  });
});
