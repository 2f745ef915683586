/** Checks the example worlds with composed goals, with one app and with several: their tasks, size and imports. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openWorld, resolveWorld } from "bowline";
import { expect, test, vi } from "vitest";
import world, { scenario } from "../../examples/clinic/index.ts";
import { namesStrangers } from "../../examples/clinic/language.ts";
import { ROOT, runBowline } from "../e2e/support/cli.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const FOLDER = join(ROOT, "examples", "clinic");
const CLINIC = join(FOLDER, "index.ts");

test("files of the clinic example have at most 250 lines and import only public entry points", () => {
  const files = readdirSync(FOLDER, { recursive: true }).map(String);
  for (const file of files.filter((name) => name.endsWith(".ts"))) {
    const text = readFileSync(join(FOLDER, file), "utf8");
    expect(text.split("\n").length, file).toBeLessThanOrEqual(251);
    const imports = [...text.matchAll(/from "([^"]+)"/g)].map(([, from]) => from!);
    const allowed = /^(bowline(\/(goals|resources|world))?|\.{1,2}\/[\w/-]+\.ts)$/;
    expect(imports.filter((from) => !allowed.test(from))).toEqual([]);
  }
});

test("the clinic example has at least 12 APIs and 200 signatures of tasks in three splits", () => {
  expect(world.apps.flatMap(({ apis }) => Object.keys(apis)).length).toBeGreaterThanOrEqual(12);
  const { signatures } = scenario.schedule;
  expect(signatures.length).toBeGreaterThanOrEqual(200);
  expect(new Set(signatures.map(({ split }) => split))).toEqual(
    new Set(["train", "dev", "test-normal"]),
  );
  const page = readFileSync(join(ROOT, "docs", "goals.md"), "utf8");
  expect(page).toContain(` | ${signatures.length} | `);
});

test("world check finds no error in any split of the clinic example", async () => {
  const args = ["world", "check", "--world", CLINIC, "--split", "all", "--tasks", "30", "--json"];
  const { code, stdout } = await runBowline(args);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ tasks: 30, solutionPass: 30, noopFail: 30, score: 1, acceptance: 1, survivors: [] },
  });
});

test("no task of the clinic example names a person of another split", async () => {
  const opened = await openWorld(resolveWorld(CLINIC).url, { seed: 1 });
  for (const split of ["train", "dev", "test-normal"] as const) {
    const said = opened.tasks(split, 30).map(({ instruction }) => instruction);
    expect(said.filter((instruction) => namesStrangers(instruction, split))).toEqual([]);
    expect(said.join(" ")).toMatch(/\b(Okafor|Abara|Rosenthal|Fontaine|Ferreira|Petrov)\b/);
  }
  await opened.close();
});

test("world check finds no error in any split of the garden example, which has at most 150 lines", async () => {
  const garden = join(ROOT, "examples", "garden.ts");
  expect(readFileSync(garden, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  const listing = await runBowline(["world", "list", "--world", garden, "--json"]);
  expect(JSON.parse(listing.stdout).signatures.length).toBeGreaterThanOrEqual(40);
  const args = ["world", "check", "--world", garden, "--split", "all", "--tasks", "45", "--json"];
  const { code, stdout } = await runBowline(args);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    tasks: 45,
    solutionPass: 45,
    score: 1,
    acceptance: 1,
  });
});
