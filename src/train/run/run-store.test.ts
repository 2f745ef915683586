import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../spec/index.ts";
import { fakeRollout } from "../../testing/fake-rollout.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { recoverCheckpoint, saveCheckpoint } from "./checkpoint.ts";
import { openRun, readRunConfig } from "./run-store.ts";
import { createTrainerState, restoreState } from "./trainer-state.ts";

const config = resolveConfig({ recipe: "smoke" });
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bowline-run-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("the run store", () => {
  it("writes the resolved configuration once and reads it back", () => {
    const out = join(root, "a", "b");
    openRun(out, config);
    const first = readFileSync(join(out, "run.json"), "utf8");
    openRun(out, config);
    expect(readFileSync(join(out, "run.json"), "utf8")).toBe(first);
    expect(readRunConfig(out)).toEqual(config);
    expect(JSON.parse(first)).toMatchObject({ seed: 1, versions: { bowline: expect.any(String) } });
  });

  it("rejects another configuration and names the fields that differ, but accepts another time limit", () => {
    openRun(root, config);
    const other = resolveConfig({
      recipe: "smoke",
      overrides: { "algo.clip": 0.2, "run.seed": 2 },
    });
    expect(() => openRun(root, other)).toThrow(
      /another configuration: run.seed \(there 1, now 2\), algo.clip \(there 0.1, now 0.2\)/,
    );
    openRun(root, resolveConfig({ recipe: "smoke", overrides: { "run.minutes": 3 } }));
  });

  it.skipIf(process.platform === "win32")(
    "rejects a run with a link that leads out of it, so that no other file of the user is changed",
    () => {
      const [out, mine] = [join(root, "run"), join(root, "mine")];
      mkdirSync(mine);
      writeFileSync(join(mine, "thesis.jsonl"), "");
      openRun(out, config);
      symlinkSync("run.json", join(out, "inside.json"));
      openRun(out, config);
      for (const name of ["metrics.jsonl", "spending.jsonl", "journal", "checkpoints/latest"]) {
        symlinkSync(mine, join(out, name));
        expect(() => openRun(out, config), name).toThrow(/is a link to .*mine, outside of the run/);
        rmSync(join(out, name));
      }
      // A journal is cut off at its first line that is no rollout.
      for (const name of ["journal/train-0001.jsonl", "checkpoints/latest/engine/state.json"]) {
        mkdirSync(join(out, name, ".."), { recursive: true });
        symlinkSync(join(mine, "thesis.jsonl"), join(out, name));
        expect(() => openRun(out, config), name).toThrow(/is a link to .*mine.*, outside of the/);
        rmSync(join(out, name));
      }
      rmSync(join(out, "rollouts"), { recursive: true });
      symlinkSync(mine, join(out, "rollouts"));
      expect(() => openRun(out, config)).toThrow(
        /rollouts is a link to .*mine, outside of the run/,
      );
      expect(existsSync(join(mine, "thesis.jsonl"))).toBe(true);
    },
  );

  it("writes no rollouts under a name that leads to another folder", () => {
    const store = openRun(root, config);
    expect(() => store.writeRollouts("eval-before-../../x", [])).toThrow(/the name of a file/);
  });

  it("rejects a checkpoint that names rollout files in another folder, which would be removed", () => {
    const out = join(root, "run");
    const store = openRun(out, config);
    const mine = join(root, "mine.jsonl");
    writeFileSync(mine, "");
    mkdirSync(join(out, "journal"));
    mkdirSync(join(out, "checkpoints", "latest"));
    const state = createTrainerState();
    const mark = { metricsBytes: 0, timingsBytes: 0, rolloutFiles: ["../../mine.jsonl"] };
    writeFileSync(
      join(out, "checkpoints", "latest", "trainer.json"),
      JSON.stringify({ state, mark }),
    );
    expect(() => restoreState(store)).toThrow(/trainer\.json is damaged: mark\.rolloutFiles\.0/);
    expect(existsSync(mine)).toBe(true);
  });

  it("rejects a folder with other files, a path that is a file, and a folder that cannot be written", () => {
    writeFileSync(join(root, "thesis.txt"), "mine");
    expect(() => openRun(root, config)).toThrow(/neither a run nor empty \(it holds thesis.txt\)/);
    expect(existsSync(join(root, "run.json"))).toBe(false);
    expect(() => openRun(join(root, "thesis.txt"), config)).toThrow(
      /thesis.txt is a file; expected a run directory/,
    );
    if (existsSync("/proc/self")) {
      expect(() => openRun("/proc/bowline/run", config)).toThrow(/cannot write .proc.bowline.run/);
    }
    if (process.getuid?.() === 0) return;
    const locked = join(root, "locked");
    mkdirSync(locked);
    chmodSync(locked, 0o500);
    expect(() => openRun(locked, config)).toThrow(/cannot write .*locked/);
  });

  it.each([
    ["world", {}],
    ["world", { modules: null, dials: {} }],
    ["world", { modules: { "a.ts": 3 }, dials: {} }],
    ["given", "engine"],
    ["versions", null],
    ["seed", "one"],
    ["fitting", { values: {} }],
    ["config", { ...config, fitting: { keep: "all" } }],
    ["config", { ...config, fitting: null }],
  ])("refuses a run whose run.json has another %s: %j", (field, value) => {
    openRun(root, config);
    const path = join(root, "run.json");
    writeFileSync(
      path,
      JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), [field]: value }),
    );
    expect(() => openRun(root, config)).toThrow(new RegExp(`run\\.json is damaged: ${field}`));
  });

  it("names the run when its folder of rollouts cannot be read", () => {
    const store = openRun(root, config);
    rmSync(join(root, "rollouts"), { recursive: true });
    expect(() => store.mark()).toThrow(`cannot write ${root}: ENOENT`);
  });

  it("cuts all files back to a mark, and fails when a part that belongs to the mark is missing", () => {
    const store = openRun(root, config);
    store.appendMetrics({ phase: "warm", step: 1, loss: 2 });
    store.writeRollouts("train-0001", [fakeRollout()]);
    const mark = store.mark();
    store.appendMetrics({ phase: "warm", step: 2, loss: 1 });
    store.appendTiming({ phase: "warm", step: 2, seconds: 1 });
    store.writeRollouts("train-0002", [fakeRollout()]);
    writeFileSync(join(root, "rollouts", "train-0003.jsonl.partial"), "torn");
    store.rewind(mark);
    expect(store.mark()).toEqual(mark);
    expect(readFileSync(join(root, "metrics.jsonl"), "utf8")).toBe(
      '{"phase":"warm","step":1,"loss":2}\n',
    );
    expect(existsSync(join(root, "rollouts", "train-0003.jsonl.partial"))).toBe(false);
    writeFileSync(join(root, "metrics.jsonl"), "");
    expect(() => store.rewind(mark)).toThrow(/somebody else has changed the run directory/);
    store.rewind(undefined);
    expect(store.mark().rolloutFiles).toEqual([]);
  });
});

describe("checkpoints", () => {
  it("are named when an interrupted save cannot be undone", () => {
    // No file can have so long a name.
    const impossible = join(root, "x".repeat(300));
    expect(() => recoverCheckpoint(impossible)).toThrow(
      /cannot recover the checkpoint .*ENAMETOOLONG/,
    );
  });

  const fakeEngine = (text: string, fail = false) =>
    ({
      save: async (directory: string) => {
        mkdirSync(directory, { recursive: true });
        writeFileSync(join(directory, "weights"), text);
        if (fail) throw new Error("killed");
      },
    }) as Pick<Engine, "save"> as Engine;
  const readWeights = (directory: string) =>
    readFileSync(join(directory, "engine", "weights"), "utf8");
  const saveWeights = (text: string, fail = false) =>
    saveCheckpoint(join(root, "latest"), {
      engine: fakeEngine(text, fail),
      tokenizer: "{}",
      config,
    });

  it("keep the old checkpoint when the new one cannot be written", async () => {
    expect(recoverCheckpoint(join(root, "latest"))).toBe(false);
    await saveWeights("one");
    await expect(saveWeights("two", true)).rejects.toThrow(/cannot write the checkpoint/);
    expect(recoverCheckpoint(join(root, "latest"))).toBe(true);
    expect(readWeights(join(root, "latest"))).toBe("one");
    expect(existsSync(join(root, "latest.next"))).toBe(false);
    await saveWeights("two");
    expect(readWeights(join(root, "latest"))).toBe("two");
  });

  it("are restored when the process died between the two steps of renaming", async () => {
    const { renameSync } = await import("node:fs");
    await saveWeights("one");
    renameSync(join(root, "latest"), join(root, "latest.previous"));
    expect(recoverCheckpoint(join(root, "latest"))).toBe(true);
    expect(readWeights(join(root, "latest"))).toBe("one");

    renameSync(join(root, "latest"), join(root, "latest.previous"));
    await saveCheckpoint(join(root, "staged"), {
      engine: fakeEngine("two"),
      tokenizer: "{}",
      config,
    });
    renameSync(join(root, "staged"), join(root, "latest.next"));
    expect(recoverCheckpoint(join(root, "latest"))).toBe(true);
    expect(readWeights(join(root, "latest"))).toBe("two");
    expect(existsSync(join(root, "latest.previous"))).toBe(false);
  });
});
