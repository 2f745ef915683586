import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Rollout } from "../../spec/index.ts";
import { fakeTask } from "../../testing/fake-episode.ts";
import { openJournal } from "./journal.ts";

let root: string;
let path: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bowline-journal-"));
  path = join(root, "journal", "train-0001.jsonl");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function rollout(index: number, change: Partial<Rollout> = {}): Rollout {
  return {
    version: 1,
    id: `1/0/${index}`,
    task: { ...fakeTask({ instruction: "Größe? ✓" }) },
    index,
    stream: index,
    temperature: 1,
    policyVersion: 3,
    turns: [],
    tokens: { ids: [1, 2, 3], mask: [0, 1, 1], logprobs: [0, -0.1, -1 / 3] },
    outcome: "finished",
    evaluation: { passed: true, finished: true, checks: [] },
    ...change,
  };
}

describe("the journal of a step", () => {
  it("gives back what was finished, number for number, and nothing else", () => {
    const journal = openJournal(path);
    expect(journal.find(rollout(0))).toBeUndefined();
    journal.add(rollout(0));
    journal.add(rollout(2));
    const again = openJournal(path);
    expect(again.find(rollout(0))).toEqual(rollout(0));
    expect(again.find(rollout(1))).toBeUndefined();
    expect(again.find(rollout(2))).toEqual(rollout(2));
  });

  it("does not take a rollout of another task or stream for the one that is wanted", () => {
    openJournal(path).add(rollout(0));
    const journal = openJournal(path);
    expect(journal.find({ ...rollout(0), stream: 7 })).toBeUndefined();
    expect(journal.find({ ...rollout(0), task: fakeTask({ id: "train/9/1" }) })).toBeUndefined();
  });

  it("keeps only what reached its evaluation: the rest may have more luck in another life", () => {
    const journal = openJournal(path);
    const { evaluation: _, ...unfinished } = rollout(0);
    journal.add({ ...unfinished, outcome: "cancelled" });
    journal.add({ ...unfinished, outcome: "failed" });
    expect(existsSync(path)).toBe(false);
  });

  it("loses only the line that a death tore, wherever it was torn", () => {
    const journal = openJournal(path);
    journal.add(rollout(0));
    const first = readFileSync(path).length;
    journal.add(rollout(1));
    const bytes = readFileSync(path);
    for (let length = first; length <= bytes.length; length += 17) {
      writeFileSync(path, bytes.subarray(0, length));
      const torn = openJournal(path);
      expect(torn.find(rollout(0))).toEqual(rollout(0));
      expect(torn.find(rollout(1))).toBeUndefined();
      torn.add(rollout(2));
      const next = openJournal(path);
      expect(next.find(rollout(0))).toEqual(rollout(0));
      expect(next.find(rollout(2))).toEqual(rollout(2));
    }
    writeFileSync(path, bytes);
    expect(openJournal(path).find(rollout(1))).toEqual(rollout(1));
  });

  it("trusts nothing behind a line that is no rollout", () => {
    const journal = openJournal(path);
    journal.add(rollout(0));
    const whole = readFileSync(path, "utf8");
    for (const foreign of ["{}", "null", "not json", '{"version":1}']) {
      writeFileSync(path, whole);
      appendFileSync(path, `${foreign}\n${JSON.stringify(rollout(1))}\n`);
      const damaged = openJournal(path);
      expect(damaged.find(rollout(0))).toEqual(rollout(0));
      expect(damaged.find(rollout(1))).toBeUndefined();
      expect(readFileSync(path, "utf8")).toBe(whole);
    }
  });

  it("says where it cannot write", () => {
    writeFileSync(join(root, "journal"), "in the way");
    expect(() => openJournal(path).add(rollout(0))).toThrow(/cannot write .*train-0001.jsonl/);
  });
});
