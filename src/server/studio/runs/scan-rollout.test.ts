/** Compares the scanner with the parser: for any rollout, the scanned fields equal those of the parsed record. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { countDecodeSteps, isPassed, rewardOf } from "../../../algo/index.ts";
import { type CheckResult, FINISH_CHECK, type Rollout } from "../../../spec/index.ts";
import { fakeRollout, fakeTokens } from "../../../testing/fake-rollout.ts";
import { type ParseRollout, parseWholeRollout, parseWithoutTokens } from "./parse-rollout.ts";
import { scanRollout } from "./scan-rollout.ts";

/** Returns the line among other bytes, as in a chunk of a file, with its start and end. */
const within = (text: string): [Buffer, number, number] => {
  const bytes = Buffer.from(`{"id":"before"}\n${text}\n"]}`);
  const start = bytes.indexOf(0x0a) + 1;
  return [bytes, start, start + Buffer.byteLength(text)];
};
const scan = (text: string) => scanRollout(...within(text));
const parse = (text: string, as: ParseRollout) => as(...within(text));

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom('"', "\\", '\\"', "]}", "é\n"),
);
const turn = fc.record({ message: text, code: text, observation: text }).map((said) => ({
  ...said,
  status: "ok" as const,
  calls: [{ app: "a", api: "b", args: { [said.code]: [said.message] }, status: 200, wrote: false }],
}));
const row = fc.array(fc.constantFrom<0 | 1>(0, 1)).map(fakeTokens);
const rollout = fc
  .record({
    id: text.filter((id) => id !== ""),
    instruction: text,
    turns: fc.array(turn, { maxLength: 4 }),
    tokens: row,
    segments: fc.option(fc.array(row), { nil: undefined }),
    checks: fc.array(fc.boolean()),
    finished: fc.boolean(),
    guards: fc.array(fc.boolean()),
    opposed: fc.constantFrom(undefined, true as const),
    reward: fc.constantFrom(undefined, 0, 0.25, 1),
    index: fc.nat(),
  })
  .map(({ instruction, segments, checks, finished, guards, opposed, reward, ...rest }): Rollout => {
    const made = fakeRollout({ ...rest, checks, version: 2, ...(segments && { segments }) });
    const all = made.evaluation!.checks.map(({ name, passed }, i): CheckResult => {
      return guards[i] === true
        ? { name, label: "guard", passed, detail: "why" }
        : { name, label: "progress", passed };
    });
    const finish: CheckResult = { name: FINISH_CHECK, label: "guard", passed: finished };
    return {
      ...made,
      ...(opposed && { opposed }),
      task: { ...made.task, instruction },
      evaluation: {
        ...made.evaluation!,
        checks: [...all, finish],
        finished,
        ...(reward !== undefined && { reward }),
      },
    };
  });

test("the scanned fields of any rollout equal those of its parsed record", () => {
  fc.assert(
    fc.property(rollout, fc.constantFrom(undefined, 1), (record, indent) => {
      // An indent puts white space everywhere, as JSON of other programs may have it.
      const line = JSON.stringify(record, null, indent);
      const found = scan(line);
      const { task } = record;
      expect(found).toMatchObject({ id: record.id, index: record.index, outcome: record.outcome });
      expect(JSON.parse(found.task)).toEqual(task);
      expect(found.turns).toBe(record.turns.length);
      expect(found.sampled).toBe(countDecodeSteps(record));
      expect(found.passed).toBe(isPassed(record));
      for (const reward of ["fraction", "strict", "progress"] as const) {
        for (const unfinished of ["fail", "score"] as const) {
          const rule = { reward, unfinished };
          expect(rewardOf(found, rule)).toBe(rewardOf(record, rule));
        }
      }
      expect(parse(line, parseWholeRollout)).toEqual(JSON.parse(line));
      const { tokens: _, segments: __, ...rest } = JSON.parse(line) as Rollout;
      expect(parse(line, parseWithoutTokens)).toEqual(rest);
    }),
  );
});

test("a line that is cut off anywhere is rejected", () => {
  const record = fakeRollout({ id: "x", tokens: fakeTokens([0, 1]), turns: [] });
  const line = JSON.stringify(record);
  for (let end = 0; end < line.length; end++) expect(() => scan(line.slice(0, end))).toThrow();
});

test("scanning any text terminates", () => {
  const bytes = fc.array(fc.constantFrom(...'{}[]":,\\ 1tn'), { maxLength: 60 });
  fc.assert(
    fc.property(bytes, (parts) => {
      try {
        scan(parts.join(""));
      } catch {}
    }),
    { numRuns: 2000 },
  );
});

test("a rollout with token rows of unequal columns is rejected, but its turns can be read", () => {
  const record = fakeRollout({ tokens: { ids: [1, 2], mask: [0, 1], logprobs: [0] } });
  const line = JSON.stringify(record);
  expect(parse(line, parseWholeRollout)).toBeUndefined();
  expect(parse(line, parseWithoutTokens)).toMatchObject({ id: record.id, turns: record.turns });
});

test.each(["", "{}", "[]", "7", '{"id":"a","tokens":', '{"tokens":[]}x'])(
  "a line that is not a rollout is rejected: %j",
  (line) => {
    expect(parse(line, parseWholeRollout)).toBeUndefined();
    expect(parse(line, parseWithoutTokens)).toBeUndefined();
  },
);
