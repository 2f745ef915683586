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

function makeRollout(index: number, change: Partial<Rollout> = {}): Rollout {
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
  it("the journal returns exactly the rollouts that finished, with identical numbers", () => {
    const journal = openJournal(path);
    expect(journal.find(makeRollout(0))).toBeUndefined();
    journal.add(makeRollout(0));
    journal.add(makeRollout(2));
    const again = openJournal(path);
    expect(again.find(makeRollout(0))).toEqual(makeRollout(0));
    expect(again.find(makeRollout(1))).toBeUndefined();
    expect(again.find(makeRollout(2))).toEqual(makeRollout(2));
  });

  it("the journal does not return a rollout of another task or random stream", () => {
    openJournal(path).add(makeRollout(0));
    const journal = openJournal(path);
    expect(journal.find({ ...makeRollout(0), stream: 7 })).toBeUndefined();
    expect(
      journal.find({ ...makeRollout(0), task: fakeTask({ id: "train/9/1" }) }),
    ).toBeUndefined();
  });

  it("the journal does not return rollouts that failed, because they may succeed when they run again", () => {
    const journal = openJournal(path);
    const { evaluation: _, ...unfinished } = makeRollout(0);
    journal.add({ ...unfinished, outcome: "cancelled" });
    expect(existsSync(path)).toBe(false);
    journal.add({ ...unfinished, outcome: "failed" });
    expect(readFileSync(path, "utf8")).toContain('"failed"');
    expect(openJournal(path).find(makeRollout(0))).toBeUndefined();
    journal.add(makeRollout(0));
    expect(openJournal(path).find(makeRollout(0))).toEqual(makeRollout(0));
  });

  it("the journal returns a rollout that an agent did not end in time, because this decision stands", () => {
    const { evaluation: _, ...unfinished } = makeRollout(0);
    const failed = { ...unfinished, outcome: "failed" as const };
    const failure = { boundary: "agent" as const, message: "", retryable: false };
    openJournal(path).add({ ...failed, failure: { ...failure, code: "time" } });
    expect(openJournal(path).find(makeRollout(0))?.failure?.code).toBe("time");
    openJournal(path).add({ ...failed, failure: { ...failure, code: "exit-code" } });
    expect(openJournal(path).find(makeRollout(0))).toBeUndefined();
  });

  it("the journal loses only the line that was being written when the process died, wherever that line ends", () => {
    const journal = openJournal(path);
    journal.add(makeRollout(0));
    const first = readFileSync(path).length;
    journal.add(makeRollout(1));
    const bytes = readFileSync(path);
    for (let length = first; length <= bytes.length; length += 17) {
      writeFileSync(path, bytes.subarray(0, length));
      const torn = openJournal(path);
      expect(torn.find(makeRollout(0))).toEqual(makeRollout(0));
      expect(torn.find(makeRollout(1))).toBeUndefined();
      torn.add(makeRollout(2));
      const next = openJournal(path);
      expect(next.find(makeRollout(0))).toEqual(makeRollout(0));
      expect(next.find(makeRollout(2))).toEqual(makeRollout(2));
    }
    writeFileSync(path, bytes);
    expect(openJournal(path).find(makeRollout(1))).toEqual(makeRollout(1));
  });

  it("the journal ignores everything after a line that is not a rollout", () => {
    const journal = openJournal(path);
    journal.add(makeRollout(0));
    const whole = readFileSync(path, "utf8");
    for (const foreign of ["{}", "null", "not json", '{"version":1}']) {
      writeFileSync(path, whole);
      appendFileSync(path, `${foreign}\n${JSON.stringify(makeRollout(1))}\n`);
      const damaged = openJournal(path);
      expect(damaged.find(makeRollout(0))).toEqual(makeRollout(0));
      expect(damaged.find(makeRollout(1))).toBeUndefined();
      expect(readFileSync(path, "utf8")).toBe(whole);
    }
  });

  it("when the journal cannot be written, the error names its path", () => {
    writeFileSync(join(root, "journal"), "in the way");
    expect(() => openJournal(path).add(makeRollout(0))).toThrow(/cannot write .*train-0001.jsonl/);
  });
});
