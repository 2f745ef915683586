/**
 * Makes file operations of a training process fail with ENOSPC or EIO, once or from then on. The process ends with one
 * clear line that names the file, or as if nothing had happened where the operation may fail. Afterwards the same
 * command ends with the bytes of an undisturbed run.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Rng } from "../../src/core/index.ts";
import { type FileBreak, openTrainer, type Trainer } from "./broken-runs.ts";
import type { CaseOutcome, Part, StepFilter } from "./part.ts";
import { describeDifference, readRunFiles } from "./tiny-run.ts";

/** One in so many cases disturbs the command line with the embedded engine, whose run takes seconds. */
const COMMAND_EVERY = 12;

function drawFaults(rng: Rng, { operations }: Trainer): FileBreak[] {
  const how = rng.pick(["ENOSPC", "EIO"] as const);
  const fault: FileBreak = {
    how,
    at: rng.integer(1, how === "EIO" ? operations.EIO : operations.die),
    when: rng.pick(["before", "half"]),
    sticky: rng.chance(0.5),
  };
  // The disk may also fail while a killed run continues.
  const kill: FileBreak = { how: "die", at: rng.integer(1, operations.die), when: "before" };
  return rng.chance(0.4) ? [kill, { ...fault, at: rng.integer(1, fault.at!) }] : [fault];
}

/** Returns what is wrong with how a disturbed process ended. */
function findProblem(
  { code, stdout, stderr }: Awaited<ReturnType<Trainer["train"]>>,
  out: string,
  { how }: FileBreak,
): string | undefined {
  if (code === 0) return undefined;
  const text = JSON.stringify(`${stdout}${stderr}`.slice(-600));
  if (code !== 1) return `the exit code is ${code}: ${text}`;
  // The command line prints its progress before.
  const lines = stderr.trimEnd().split("\n");
  const isClear = lines.findIndex((line) => line.startsWith("error: ")) === lines.length - 1;
  if (!isClear) return `expected one line at the end, got ${text}`;
  if (!stderr.includes(out) || !stderr.includes(how))
    return `the line does not name the file and ${how}: ${text}`;
  return undefined;
}

async function disturb(
  trainer: Trainer,
  out: string,
  faults: readonly FileBreak[],
): Promise<CaseOutcome> {
  rmSync(out, { recursive: true, force: true });
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  const where = `${trainer.name} disturbed by ${JSON.stringify(faults)}`;
  for (const fault of faults) {
    const ended = await trainer.train(out, fault);
    if (fault.how === "die") continue;
    for (const name of ["faults", ended.code === 0 ? "tolerated" : "reported"])
      counts[name] = (counts[name] ?? 0) + 1;
    const problem = findProblem(ended, out, fault);
    if (problem) failures.push(`${where}: ${problem}`);
  }
  const { code, stderr } = await trainer.train(out);
  if (code !== 0) failures.push(`${where}: the same command ended with ${code}: ${stderr}`);
  else {
    const difference = describeDifference(readRunFiles(out), trainer.expected);
    if (difference) failures.push(`${where}: ${difference}`);
  }
  return { counts, failures };
}

export const diskFaults: Part = {
  name: "disk",
  summary: "file operations that fail with ENOSPC or EIO",
  weight: 3,
  caseLimitMs: 600_000,
  async open(folder) {
    const tiny = await openTrainer("tiny", folder);
    let command: Trainer | undefined;
    return {
      async runCase(rng: Rng, steps: StepFilter, number: number) {
        const isCommand = number % COMMAND_EVERY === COMMAND_EVERY - 1;
        if (isCommand) command ??= await openTrainer("command", folder);
        const trainer = isCommand ? command! : tiny;
        return disturb(trainer, join(folder, "run"), steps.choose(drawFaults(rng, trainer)));
      },
      close: async () => {},
    };
  },
};
