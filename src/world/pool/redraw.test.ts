import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Split } from "../../spec/index.ts";
import { checkWorld } from "../index.ts";

const url = new URL("../../../tests/support/unsteady-world.ts", import.meta.url);
const source = readFileSync(url, "utf8").split("\n");
const lineNumberOf = (text: string) => 1 + source.findIndex((row) => row.includes(text));

async function failuresIn(split: Split, distractors = 1) {
  const report = await checkWorld(url.href, { seed: 1, split, dials: { distractors } });
  expect(report.tasks).toBe(3);
  return report.failures.map(({ task, why }) => `${task}: ${why}`);
}

test.each<[Split, RegExp]>([
  [
    "train",
    /^train\/0\/1: not the same when it is drawn again: its instruction is "write \\"luck 0\.\d+\\"" and "write \\"luck 0\.\d+\\""; it uses Math\.random at tests\/support\/unsteady-world\.ts:(\d+):\d+: use the rng /,
  ],
  [
    "dev",
    /^dev\/0\/1: .*: its intended change is {.*"text":"day 2\d\d\d-\d\d-\d\d"}} and {.*"text":"day 2\d\d\d-\d\d-\d\d"}}; it uses new Date at tests\/support\/unsteady-world\.ts:(\d+):\d+: .* take the time from the world's `now`$/,
  ],
])(
  "a %s scenario that uses Math.random or Date is reported with task, field, values and line",
  async (split, expected) => {
    const failures = await failuresIn(split);
    expect(failures).toHaveLength(3);
    const [, row] = expected.exec(failures[0]!) ?? [failures[0]];
    expect(row).toBe(String(lineNumberOf(split === "train" ? "luck ${Math" : "day ${new")));
  },
);

test.each<[Split, string]>([
  ["test-normal", "turn \\d+"],
  ["test-challenge", "load 0\\.\\d+"],
])("a %s scenario that depends on variables of the module is reported", async (split, text) => {
  const [first] = await failuresIn(split);
  expect(first).toMatch(
    new RegExp(
      `its instruction is "write ..${text}.." and "write ..${text}..".*look for Math.random`,
    ),
  );
});

test("a deterministic world passes, and a world whose population uses Math.random does not", async () => {
  expect(await failuresIn("handmade")).toEqual([]);
  const [asked] = await failuresIn("handmade", 2);
  expect(asked).toMatch(
    /^handmade\/0\/1: .*: the population's table desk\.notes has the row {"id":1,"text":"spam 0\.\d+"} and {"id":1,"text":"spam 0\.\d+"}; it uses Math\.random at /,
  );
  const [loaded] = await failuresIn("handmade", 3);
  expect(loaded).toMatch(
    /: the population's table desk\.notes has the row .*; look for Math\.random/,
  );
});
