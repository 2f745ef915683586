/**
 * The program of a preset's episode: starts the harness, waits for it, and writes the reward that the harness recorded.
 * `node play-preset.js NAME OPTIONS` gets its task and its model from the variables that `command()` sets.
 *
 * The harness belongs to the same process group, so it ends with the episode. What it writes goes to stderr, because
 * the last JSON line of stdout would be taken for a reward.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "../../../core/index.ts";
import { harborPreset } from "./harbor.ts";
import type { Preset, PresetEpisode, PresetProgram } from "./preset.ts";
import { tau2Preset } from "./tau2.ts";
import { verifiersPreset } from "./verifiers.ts";

const PLAYERS: Readonly<Record<string, (options: unknown) => Promise<number>>> = {
  verifiers: (options) => play(verifiersPreset, options),
  harbor: (options) => play(harborPreset, options),
  tau2: (options) => play(tau2Preset, options),
};

function readEpisode(): PresetEpisode & { readonly rewardFile: string } {
  const { BOWLINE_TASK: taskFile, BOWLINE_REWARD: rewardFile } = process.env;
  if (!taskFile || !rewardFile) {
    throw new Error("expected the variables BOWLINE_TASK and BOWLINE_REWARD, which Bowline sets");
  }
  const folder = join(dirname(taskFile), "harness");
  mkdirSync(folder, { recursive: true });
  const task: unknown = JSON.parse(readFileSync(taskFile, "utf8"));
  return { task, folder, variables: process.env, rewardFile };
}

/** Resolves to the exit code of the harness. */
function runHarness({ command, env }: PresetProgram): Promise<number> {
  const [file, ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file!, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", 2, 2],
    });
    // The harness gets the request to end, too; this process waits for it.
    process.on("SIGTERM", () => child.kill("SIGTERM"));
    child.once("error", (error) => reject(new Error(`cannot start ${file}: ${error.message}`)));
    child.once("exit", (code, signal) => {
      if (signal !== null) reject(new Error(`${file} was ended by ${signal}`));
      else resolve(code ?? 1);
    });
  });
}

/** Plays the episode. Resolves to the exit code of this program. */
async function play<O>(preset: Preset<O>, given: unknown): Promise<number> {
  const options = preset.options.parse(given);
  const { rewardFile, ...episode } = readEpisode();
  const exitCode = await runHarness(preset.createProgram(options, episode));
  if (exitCode !== 0) return exitCode;
  writeFileSync(rewardFile, JSON.stringify(preset.readResult(options, episode)));
  return 0;
}

try {
  const [name = "", options = "{}"] = process.argv.slice(2);
  const player = PLAYERS[name];
  if (player === undefined) throw new Error(`there is no preset ${name}`);
  process.exitCode = await player(JSON.parse(options));
} catch (error) {
  process.stderr.write(`\n${errorMessage(error)}\n`);
  process.exitCode = 1;
}
