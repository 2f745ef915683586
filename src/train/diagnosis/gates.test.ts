import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import { withEpisodes } from "../../testing/planted-faults.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";
import { readMeasurements } from "./read-measurements.ts";

let out: string;
beforeEach(() => {
  out = createMemoryFolder("bowline-gates-");
});
afterEach(() => rmSync(out, { recursive: true, force: true }));

/** A world in which every cell fails, so that no rollout earns anything. */
const hopeless = withEpisodes(fakeMakers(), (episode) => ({
  ...episode,
  step: async (code, signal) => ({
    ...(await episode.step(code, signal)),
    status: "error",
    finished: false,
  }),
  evaluate: async () => ({ ...(await episode.evaluate()), passed: false, finished: false }),
}));

async function trainHopeless(gates: "stop" | "note" | "off", name = "run") {
  const notes: string[] = [];
  const overrides = {
    ...FAKE_RUN,
    "run.gates": gates,
    "world.trainScenarios": 20,
    "algo.iterations": 6,
    "algo.tasksPerIteration": 24,
    "algo.groupSize": 4,
  };
  const summary = await trainWith(hopeless, resolveConfig({ recipe: "smoke", overrides }), {
    out: join(out, name),
    onEvent: (event) => void (event.type === "note" && notes.push(event.text)),
  }).catch((error: Error) => error);
  return { summary, notes };
}

const countIterations = (name = "run") =>
  readFileSync(join(out, name, "metrics.jsonl"), "utf8").match(/"phase":"loop"/g)!.length;

const STOPPED =
  /^the run stopped after iteration 3, because nothing can be learned: .*ill-formed.* What usually cures it: the policy writes what it imitated, and the world does not accept it: .*--run\.gates note.*`bowline diagnose /;

describe("the gates of a run", () => {
  it("stop a run when none of 59 groups or more teaches, with the reason and its cure", async () => {
    const { summary, notes } = await trainHopeless("stop");
    expect(summary).toMatchObject({ code: "tripwire", message: expect.stringMatching(STOPPED) });
    expect(countIterations()).toBe(3);
    expect(notes).toEqual([expect.stringMatching(/^after iteration 1: .* ill-formed/)]);
  });

  it("stop it again when it is continued, and let it go on when they are told to", async () => {
    await trainHopeless("stop");
    const { summary: again } = await trainHopeless("stop");
    expect(again).toMatchObject({ message: expect.stringMatching(STOPPED) });
    expect(countIterations()).toBe(3);
    const { summary: done } = await trainHopeless("note");
    expect(done).toMatchObject({ rollouts: 6 * 24 * 4 });
    expect(countIterations()).toBe(6);
  });

  it("change no number, whether they stop, report or are off", async () => {
    const { summary } = await trainHopeless("off", "off");
    const { notes } = await trainHopeless("note", "note");
    expect(summary).toMatchObject({ rollouts: 6 * 24 * 4 });
    expect(notes).toHaveLength(1);
    const read = (name: string) =>
      ["metrics.jsonl", "rollouts/train-0003.jsonl"].map((file) =>
        readFileSync(join(out, name, file), "utf8"),
      );
    expect(read("note")).toEqual(read("off"));
  });
});

describe("what the gates read", () => {
  it("leaves out rollouts in the journal, which an uninterrupted run has at other times", async () => {
    await trainHopeless("note");
    const [run, journal] = [join(out, "run"), join(out, "run", "journal")];
    const finished = readMeasurements(run, { finishedOnly: true });
    expect(readMeasurements(run)).toEqual(finished);
    mkdirSync(journal);
    for (const name of ["train-0007.jsonl", "eval-iteration-7-dev-T1.jsonl"]) {
      copyFileSync(join(run, "rollouts", "train-0001.jsonl"), join(journal, name));
    }
    expect(readMeasurements(run, { finishedOnly: true })).toEqual(finished);
    const all = readMeasurements(run);
    expect(all.iterations).toHaveLength(finished.iterations.length + 1);
    expect(all.evaluations).toHaveLength(finished.evaluations.length + 1);
  });
});

describe("the reason of a stop", () => {
  it("ends with the options that usually cure it", async () => {
    const config = resolveConfig({
      recipe: "smoke",
      overrides: {
        ...FAKE_RUN,
        "warm.demonstrations": 8,
        "world.trainScenarios": 20,
        "algo.iterations": 6,
        "algo.tasksPerIteration": 30,
        "algo.groupSize": 2,
      },
    });
    await expect(trainWith(hopeless, config, { out: join(out, "run") })).rejects.toThrow(
      /adds epochs .* \(the same command with `--warm\.auto --out ANOTHER-FOLDER`\)\. To go on/,
    );
  });
});
