/**
 * Kills a training process at its file operations: before, half-way and after each. A third of the deaths are power
 * failures, after which files end where they were last flushed. Then the same command continues,
 * and may be killed again. In the end every file of the run has the bytes of an uninterrupted run.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Rng } from "../../src/core/index.ts";
import { writeReport } from "../../src/server/index.ts";
import { openTrainer, type Trainer } from "./broken-runs.ts";
import { findErrorProblem } from "./clear-error.ts";
import type { CaseOutcome, Part, StepFilter } from "./part.ts";
import { describeDifference, readRunFiles } from "./tiny-run.ts";

const MOMENTS = ["before", "half", "after"] as const;
type Moment = (typeof MOMENTS)[number];

interface CrashPoint {
  /** Whether the process dies, or the machine loses its power and what was not flushed is gone. */
  readonly how: "die" | "power";
  /** The number of the operation, counted from 1 in each process. */
  readonly at: number;
  readonly when: Moment;
}

/** One in so many cases kills the command line with the embedded engine, whose run takes seconds. */
const COMMAND_EVERY = 12;
/** Consecutive cases are spread over the operations: this prime has no factor in common with their number. */
const STRIDE = 7919;

/** Returns the point of a case. The cases of a campaign visit every operation three times before any comes again. */
function enumeratePoint(number: number, operations: number): CrashPoint {
  const index = (number * STRIDE) % (operations * MOMENTS.length);
  const when = MOMENTS[index % MOMENTS.length]!;
  return {
    how: number % 3 === 0 ? "power" : "die",
    at: Math.floor(index / MOMENTS.length) + 1,
    when,
  };
}

function drawPoints(rng: Rng, number: number, operations: number): CrashPoint[] {
  const further = Array.from(
    { length: rng.pick([0, 0, 1, 3]) },
    (): CrashPoint => ({
      how: rng.pick(["die", "power"]),
      at: rng.integer(1, operations),
      when: rng.pick(MOMENTS),
    }),
  );
  return [enumeratePoint(number, operations), ...further];
}

/** A report of an interrupted run is written, or refused in one line. */
async function reportProblem(out: string): Promise<string | undefined> {
  try {
    await writeReport(out, `${out}.html`);
    return undefined;
  } catch (error) {
    return findErrorProblem(error);
  }
}

async function crash(
  trainer: Trainer,
  out: string,
  points: readonly CrashPoint[],
): Promise<CaseOutcome> {
  rmSync(out, { recursive: true, force: true });
  const counts: Record<string, number> = { crashes: 0, powerFailures: 0, resumes: 0 };
  const failures: string[] = [];
  for (const point of points) {
    const { code, stderr } = await trainer.train(out, point);
    // A continued run has fewer operations, so it may end before the point comes.
    if (code === null) counts[point.how === "die" ? "crashes" : "powerFailures"]! += 1;
    else if (code !== 0) failures.push(`${trainer.name}: it ended with ${code}: ${stderr}`);
    const problem = await reportProblem(out);
    if (problem)
      failures.push(`${trainer.name}: report after ${JSON.stringify(point)}: ${problem}`);
  }
  const { code, stderr } = await trainer.train(out);
  counts["resumes"]! += 1;
  const where = `${trainer.name} killed at ${JSON.stringify(points)}`;
  if (code !== 0) failures.push(`${where}: the same command ended with ${code}: ${stderr}`);
  else {
    const difference = describeDifference(readRunFiles(out), trainer.expected);
    if (difference) failures.push(`${where}: ${difference}`);
  }
  return { counts, failures };
}

export const crashPoints: Part = {
  name: "crash",
  summary: "processes killed at file operations and continued",
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
        const points = drawPoints(rng, number, trainer.operations.die);
        return crash(trainer, join(folder, "run"), steps.choose(points));
      },
      close: async () => {},
    };
  },
};
