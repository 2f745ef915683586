/** Runs every command in terminals of 80 and 120 columns: no line is longer, apart from a word that cannot break. */
import { expect, test } from "vitest";
import { readAllHelp } from "../../site/reference/help.ts";
import { runBowlineInProcess as bowline } from "../../tests/support/terminal.ts";

const longLines = (text: string, width: number) =>
  text.split("\n").filter((line) => line.length > width && line.trim().includes(" "));

const SHOWN: readonly string[] = [
  "",
  "world list --world toy",
  "world show --world toy",
  "world show --world toy --api shelf.put",
  "world stats --world toy --scenarios 2",
  "config",
  "config algo",
  "config engine",
  "config algo.clip",
  "eval solution --world toy --split dev --scenarios 1",
  "play --world toy",
  "trust --list",
  "doctor",
  "train smoke --explain",
  // Errors.
  "trian",
  "world",
  "train smoke --groupSize 8",
  "train smoke --algo.epoch 2 --out runs/x",
  "eval solution --scenarios zero",
  "config nothing",
  "rollouts no such-folder/run",
  "report no/such/folder/of/a/run/that/has/a/long/name/and/more/of/it/and/still/more",
  "compare --results nowhere/x.json",
];

const helps = await readAllHelp();

test("every command's help breaks at words in 80 and in 120 columns", async () => {
  for (const { words } of helps) {
    for (const width of [80, 120]) {
      const { stdout } = await bowline([...words, "--help"], "", width);
      expect(stdout).toContain("Usage:");
      expect(longLines(stdout, width), words.join(" ")).toEqual([]);
    }
  }
});

test.each(SHOWN)("bowline %s breaks at words in 80 and in 120 columns", async (line) => {
  for (const width of [80, 120]) {
    const { stdout, stderr } = await bowline(line.split(" ").filter(Boolean), "", width);
    expect(`${stdout}${stderr}`).not.toBe("");
    expect(longLines(`${stdout}\n${stderr}`, width)).toEqual([]);
  }
});
