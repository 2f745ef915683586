import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import type { TrainEvent } from "../run/events.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

const root = createMemoryFolder("bowline-stages-");
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A warm start of three steps, which is too short. */
const SHORT_WARM_START = {
  ...FAKE_RUN,
  "warm.demonstrations": 24,
  "warm.learningRate": 0.5,
  "warm.hastyShare": 0,
  "world.trainScenarios": 20,
  "algo.iterations": 1,
  "algo.tasksPerIteration": 4,
  "algo.groupSize": 4,
  "evaluation.scenarios": 2,
};

async function trainShort(
  name: string,
  fields: Record<string, unknown>,
  onEvent: (event: TrainEvent, abort: () => void) => void = () => {},
) {
  const notes: string[] = [];
  const abort = new AbortController();
  const config = resolveConfig({ recipe: "smoke", overrides: { ...SHORT_WARM_START, ...fields } });
  await trainWith(fakeMakers(), config, {
    out: join(root, name),
    signal: abort.signal,
    onEvent: (event) => {
      if (event.type === "note") notes.push(event.text);
      onEvent(event, () => abort.abort());
    },
  });
  return { notes, lines: readWarmLines(name) };
}

const readWarmLines = (name: string) =>
  readFileSync(join(root, name, "metrics.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, number | string>)
    .filter(({ phase }) => phase === "warm");

/** Reads the metrics, the rollouts and the weights of a run. */
const readNumbers = (name: string) =>
  [
    "metrics.jsonl",
    "checkpoints/final/engine/table.json",
    ...readdirSync(join(root, name, "rollouts"))
      .sort()
      .map((file) => join("rollouts", file)),
  ].map((file) => [file, readFileSync(join(root, name, file), "utf8")]);

describe("a warm start that may be extended", () => {
  it("is repeated until enough rollouts pass, and says so after each stage", async () => {
    const { notes, lines } = await trainShort("solved", { "warm.auto.share": 0.9 });
    const stages = lines.filter((line) => line["warm/solved"] !== undefined);
    expect(stages.length).toBeGreaterThan(1);
    expect(stages[0]!["warm/solved"]).toBeLessThan(0.9);
    expect(stages.at(-1)!["warm/solved"]).toBeGreaterThanOrEqual(0.9);
    expect(notes[0]).toMatch(
      /^after 1 epochs of the warm start, \d+% of 60 rollouts at temperature 1 pass, and the loss of held-out demonstrations is [\d.]+ nats per token; 1 more follow$/,
    );
    expect(notes.at(-1)).toMatch(/this is enough$/);
  });

  it("ends at its limit, and when the held-out loss no longer falls", async () => {
    const limited = await trainShort("limited", { "warm.auto.share": 1, "warm.auto.maxEpochs": 2 });
    expect(limited.notes.at(-1)).toMatch(/this is the limit \(warm\.auto\.maxEpochs\)$/);
    // A learning rate of 0 changes nothing, so the loss stays what it was.
    const still = await trainShort("still", { "warm.auto": true, "warm.learningRate": 0 });
    expect(still.lines.filter((line) => line["warm/solved"] !== undefined)).toHaveLength(2);
    expect(still.notes).toContainEqual(expect.stringMatching(/the loss no longer falls$/));
  });

  it("gives the same numbers when it is stopped after any step and continued", async () => {
    const fields = { "warm.auto.share": 0.9 };
    await trainShort("whole", fields);
    const steps = readWarmLines("whole").length;
    for (let last = 1; last < steps; last += 2) {
      let seen = 0;
      const stopped = trainShort(`stopped-${last}`, fields, (event, abort) => {
        if (event.type === "progress" && event.phase === "warm" && ++seen === last) abort();
      });
      await stopped.catch(() => {});
      await trainShort(`stopped-${last}`, fields);
      expect(readNumbers(`stopped-${last}`)).toEqual(readNumbers("whole"));
    }
  });

  it("needs demonstrations", () => {
    const overrides = { "warm.demonstrations": 0, "warm.auto": true };
    expect(() => resolveConfig({ recipe: "smoke", overrides })).toThrow(
      /^warm\.auto: expected warm\.demonstrations above 0/,
    );
  });
});
