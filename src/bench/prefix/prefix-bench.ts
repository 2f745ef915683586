/**
 * Measures the gain of computing shared prefixes once. The same training step and the same rollouts run with and
 * without sharing, alternately, each in a process of its own.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { BowlineError, describeMachine, errorMessage, resolveBuiltUrl } from "../../core/index.ts";
import type { PrefixWork } from "../../engine/index.ts";
import { median, roundToThousandths } from "../quantiles.ts";
import { PUBLISHED_MODELS } from "../shapes.ts";

export interface PrefixBenchOptions extends Omit<PrefixWork, "once" | "model"> {
  /** The number of layers. The model has the width and vocabulary of SmolLM2-135M, which has 30 layers. */
  readonly layers: number;
  /** The number of measurements of each side. Medians are reported. */
  readonly rounds: number;
  readonly onPhase?: (what: string) => void;
}

type WorkOptions = Omit<PrefixBenchOptions, "rounds" | "onPhase">;

export interface PrefixSide {
  /** The number of tokens of all rows per second. Shared tokens count once in every row. */
  readonly tokensPerSecond: number;
  readonly seconds: number;
  /** The peak resident memory, minus one copy of the weights. */
  readonly peakMb: number;
}

/**
 * Compares the two sides. With `once`, shared tokens are computed once; with `apart`, they are computed again in every
 * row.
 */
export interface PrefixRatios {
  /** The speed and the memory of the side `once`, divided by those of the side `apart`. */
  readonly speedup: number;
  readonly memoryRatio: number;
  readonly once: PrefixSide;
  readonly apart: PrefixSide;
}

export interface PrefixBench {
  readonly machine: ReturnType<typeof describeMachine>;
  readonly work: WorkOptions;
  readonly train: PrefixRatios & {
    /** The relative difference of the adapter's gradients: |gradient - gradient apart| / |gradient apart|. */
    readonly gradientError: number;
  };
  readonly sample: PrefixRatios & {
    /** The number of rollouts, which is twice the number of training rows, because rollouts need no gradients. */
    readonly rollouts: number;
    /**
     * The largest difference in log-probs. Each rollout is compared up to the first token in which the two sides
     * differ.
     */
    readonly logprobError: number;
    /** The share of sampled tokens that were compared. It is 1 when no rounding error changed a sampled token. */
    readonly compared: number;
  };
}

interface ProcessMeasurement {
  readonly seconds: number;
  readonly peakMb: number;
  /** The numbers by which the two sides are compared. */
  readonly numbers: Float32Array;
}

interface SideMeasurements {
  readonly once: readonly ProcessMeasurement[];
  readonly apart: readonly ProcessMeasurement[];
}

type PrefixTask = "train" | "sample";

export async function benchPrefix(options: PrefixBenchOptions): Promise<PrefixBench> {
  const { rounds, onPhase = () => {}, ...work } = options;
  const sampled = { ...work, rows: 2 * work.rows };
  const measureTask = (part: PrefixTask, workOptions: WorkOptions, what: string) =>
    measureAlternately(part, workOptions, rounds, (round, side) => {
      onPhase(
        `round ${round + 1} of ${rounds}: ${workOptions.rows} ${what}, shared tokens ${side}`,
      );
    });
  const train = await measureTask("train", work, "rows trained");
  const sample = await measureTask("sample", sampled, "rollouts sampled");
  return {
    machine: describeMachine(),
    work,
    train: {
      ...computeRatios(train, work),
      gradientError: relativeDistance(train.once[0]!.numbers, train.apart[0]!.numbers),
    },
    sample: {
      ...computeRatios(sample, sampled),
      rollouts: sampled.rows,
      ...compareSamples(sample.once[0]!.numbers, sample.apart[0]!.numbers, work.own),
    },
  };
}

async function measureAlternately(
  part: PrefixTask,
  work: WorkOptions,
  rounds: number,
  onTurn: (round: number, side: "once" | "apart") => void,
): Promise<SideMeasurements> {
  const directory = mkdtempSync(join(tmpdir(), "bowline-prefix-"));
  const sides: { readonly once: ProcessMeasurement[]; readonly apart: ProcessMeasurement[] } = {
    once: [],
    apart: [],
  };
  try {
    for (let round = 0; round < rounds; round++) {
      for (const side of ["apart", "once"] as const) {
        onTurn(round, side);
        const file = join(directory, "numbers");
        sides[side].push(await measureInProcess(part, { ...work, once: side === "once" }, file));
      }
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return sides;
}

async function measureInProcess(
  part: PrefixTask,
  { layers, ...rest }: WorkOptions & { once: boolean },
  file: string,
): Promise<ProcessMeasurement> {
  const entry = fileURLToPath(resolveBuiltUrl(new URL("./step-process.ts", import.meta.url).href));
  const loader = entry.endsWith(".ts") ? ["--import", import.meta.resolve("tsx")] : [];
  try {
    const model = { ...PUBLISHED_MODELS["smollm2-135m"], layers };
    const work = JSON.stringify({ ...rest, model } satisfies PrefixWork);
    const args = [...loader, entry, part, work, file];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const bytes = readFileSync(file);
    const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    return { ...(JSON.parse(stdout) as Omit<ProcessMeasurement, "numbers">), numbers };
  } catch (cause) {
    throw new BowlineError("engine", `the measured process failed: ${errorMessage(cause)}`, {
      cause,
    });
  }
}

function computeRatios(sides: SideMeasurements, work: WorkOptions): PrefixRatios {
  const [once, apart] = [summarizeSide(sides.once, work), summarizeSide(sides.apart, work)];
  return {
    speedup: roundToThousandths(apart.seconds / once.seconds),
    memoryRatio: roundToThousandths(once.peakMb / apart.peakMb),
    once,
    apart,
  };
}

function summarizeSide(
  measured: readonly ProcessMeasurement[],
  { rows, shared, own }: WorkOptions,
): PrefixSide {
  const seconds = median(measured.map((one) => one.seconds));
  return {
    seconds: roundToThousandths(seconds),
    tokensPerSecond: Math.round((rows * (shared + own)) / seconds),
    peakMb: Math.round(median(measured.map(({ peakMb }) => peakMb))),
  };
}

function relativeDistance(a: Float32Array, b: Float32Array): number {
  const norm = (values: Float32Array) => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0));
  return norm(a.map((value, i) => value - b[i]!)) / norm(b);
}

/**
 * Compares the samples of two sides. An array holds all tokens, `own` per rollout, and then all log-probs. After the
 * first token that differs, the two texts are different, so the rest of the rollout is not compared.
 */
function compareSamples(a: Float32Array, b: Float32Array, own: number) {
  const tokens = a.length / 2;
  let [logprobError, compared] = [0, 0];
  for (let start = 0; start < tokens; start += own) {
    for (let i = start; i < start + own && a[i] === b[i]; i++, compared++) {
      logprobError = Math.max(logprobError, Math.abs(a[tokens + i]! - b[tokens + i]!));
    }
  }
  return { logprobError, compared: roundToThousandths(compared / tokens) };
}
