/** Starts programs that train a small run while their file operations die or fail. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLI_PATH, type FinishedProcess, runCommand } from "../e2e/support/cli.ts";
import { readRunFiles } from "./tiny-run.ts";

/** What `break-files.mjs` reads. */
export interface FileBreak {
  readonly how: "count" | "die" | "power" | "ENOSPC" | "EIO";
  readonly at?: number;
  readonly when?: "before" | "half" | "after";
  readonly sticky?: boolean;
  readonly counts?: string;
}

/** A program that trains a run in a folder. */
export interface Trainer {
  readonly name: string;
  /** Trains or continues the run. With `broken`, its file operations are broken. */
  train(out: string, broken?: FileBreak): Promise<FinishedProcess>;
  /** The number of operations on files in an undisturbed run that write, and of all that EIO can reach. */
  readonly operations: { readonly die: number; readonly EIO: number };
  /** The files of the undisturbed run. */
  readonly expected: ReadonlyMap<string, string>;
}

const PRELOAD = new URL("break-files.mjs", import.meta.url).href;
const TINY_PROGRAM = fileURLToPath(new URL("train-tiny.mjs", import.meta.url));
/** The smallest run of the command line, with the toy world and the embedded engine. */
const COMMAND = [
  ["train", "smoke", "--json"],
  ["--warm.demonstrations", "64"],
  ["--algo.iterations", "1"],
  ["--algo.tasks-per-iteration", "2"],
  ["--algo.group-size", "2"],
  ["--evaluation.scenarios", "1"],
  ["--evaluation.every", "0"],
].flat();

const PROGRAMS: Readonly<Record<string, (out: string) => readonly string[]>> = {
  tiny: (out) => [TINY_PROGRAM, out],
  command: (out) => [CLI_PATH, ...COMMAND, "--out", out],
};

/** Opens a trainer: runs it once undisturbed in `folder`, unless an earlier process did, and counts its operations. */
export async function openTrainer(name: keyof typeof PROGRAMS, folder: string): Promise<Trainer> {
  const whole = join(folder, `${name}-whole`);
  const train: Trainer["train"] = (out, broken) => {
    const preload = broken ? ["--import", PRELOAD] : [];
    const env = broken && { BOWLINE_BREAK_FILES: JSON.stringify({ ...broken, folder: out }) };
    return runCommand(process.execPath, [...preload, ...PROGRAMS[name]!(out)], {
      ...(env && { env }),
    });
  };
  const countOperations = async (how: "count" | "EIO", out: string) => {
    const counts = `${whole}-${how}`;
    if (!existsSync(counts)) {
      rmSync(out, { recursive: true, force: true });
      // An EIO that never comes counts the reading operations too.
      const { code, stderr } = await train(out, { how, counts, at: 0 });
      if (code !== 0) throw new Error(`the undisturbed run failed: ${stderr}`);
    }
    return Number(readFileSync(counts, "utf8"));
  };
  const operations = {
    EIO: await countOperations("EIO", whole),
    die: await countOperations("count", whole),
  };
  return { name, train, operations, expected: readRunFiles(whole) };
}
