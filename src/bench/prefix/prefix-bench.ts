/**
 * What it is worth to compute shared beginnings once: the same step of training and the same rollouts with and without, by
 * turns, each in a process of its own.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { BowlineError, describeMachine, errorMessage, resolveBuiltUrl } from "../../core/index.ts";
import type { PrefixWork } from "../../engine/index.ts";
import { median, rounded } from "../quantiles.ts";
import { PUBLISHED } from "../shapes.ts";

export interface PrefixBenchOptions extends Omit<PrefixWork, "once" | "model"> {
  /** Of a model with SmolLM2-135M's width and vocabulary, which has 30. */
  readonly layers: number;
  /** Measurements of each side; medians are reported. */
  readonly rounds: number;
  readonly onPhase?: (what: string) => void;
}

type Asked = Omit<PrefixBenchOptions, "rounds" | "onPhase">;

export interface PrefixSide {
  /** Tokens of all rows, shared ones counted in each, a second. */
  readonly tokensPerSecond: number;
  readonly seconds: number;
  /** The most that was resident, less one copy of the weights. */
  readonly peakMb: number;
}

/** `once`: shared tokens are computed once; `apart`: in each row. */
export interface PrefixRatios {
  /** How many times as fast, and what part of the memory, with shared tokens computed once. */
  readonly speedup: number;
  readonly memoryRatio: number;
  readonly once: PrefixSide;
  readonly apart: PrefixSide;
}

export interface PrefixBench {
  readonly machine: ReturnType<typeof describeMachine>;
  readonly work: Asked;
  readonly train: PrefixRatios & {
    /** |gradient - gradient apart| / |gradient apart| of the adapter. */
    readonly gradientError: number;
  };
  readonly sample: PrefixRatios & {
    /** Twice the rows: rollouts need no gradients. */
    readonly rollouts: number;
    /** The largest difference of log-probs, over rollouts' tokens up to the first on which both sides differ. */
    readonly logprobError: number;
    /** The part of all sampled tokens that this looks at; 1 where no rounding turned a draw. */
    readonly compared: number;
  };
}

interface Measured {
  readonly seconds: number;
  readonly peakMb: number;
  /** What both sides are compared by. */
  readonly numbers: Float32Array;
}

interface Sides {
  readonly once: readonly Measured[];
  readonly apart: readonly Measured[];
}

type Part = "train" | "sample";

export async function benchPrefix(options: PrefixBenchOptions): Promise<PrefixBench> {
  const { rounds, onPhase = () => {}, ...work } = options;
  const sampled = { ...work, rows: 2 * work.rows };
  const measure = (part: Part, asked: Asked, what: string) =>
    byTurns(part, asked, rounds, (round, side) => {
      onPhase(`round ${round + 1} of ${rounds}: ${asked.rows} ${what}, shared tokens ${side}`);
    });
  const train = await measure("train", work, "rows trained");
  const sample = await measure("sample", sampled, "rollouts sampled");
  return {
    machine: describeMachine(),
    work,
    train: {
      ...ratios(train, work),
      gradientError: distance(train.once[0]!.numbers, train.apart[0]!.numbers),
    },
    sample: {
      ...ratios(sample, sampled),
      rollouts: sampled.rows,
      ...agreement(sample.once[0]!.numbers, sample.apart[0]!.numbers, work.own),
    },
  };
}

async function byTurns(
  part: Part,
  work: Asked,
  rounds: number,
  onTurn: (round: number, side: "once" | "apart") => void,
): Promise<Sides> {
  const directory = mkdtempSync(join(tmpdir(), "bowline-prefix-"));
  const sides: { readonly once: Measured[]; readonly apart: Measured[] } = { once: [], apart: [] };
  try {
    for (let round = 0; round < rounds; round++) {
      for (const side of ["apart", "once"] as const) {
        onTurn(round, side);
        const file = join(directory, "numbers");
        sides[side].push(await measured(part, { ...work, once: side === "once" }, file));
      }
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return sides;
}

async function measured(
  part: Part,
  { layers, ...rest }: Asked & { once: boolean },
  file: string,
): Promise<Measured> {
  const entry = fileURLToPath(resolveBuiltUrl(new URL("./step-process.ts", import.meta.url).href));
  const loader = entry.endsWith(".ts") ? ["--import", import.meta.resolve("tsx")] : [];
  try {
    const model = { ...PUBLISHED["smollm2-135m"], layers };
    const work = JSON.stringify({ ...rest, model } satisfies PrefixWork);
    const args = [...loader, entry, part, work, file];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const bytes = readFileSync(file);
    const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    return { ...(JSON.parse(stdout) as Omit<Measured, "numbers">), numbers };
  } catch (cause) {
    throw new BowlineError("engine", `the measured process failed: ${errorMessage(cause)}`, {
      cause,
    });
  }
}

function ratios(sides: Sides, work: Asked): PrefixRatios {
  const [once, apart] = [sideOf(sides.once, work), sideOf(sides.apart, work)];
  return {
    speedup: rounded(apart.seconds / once.seconds),
    memoryRatio: rounded(once.peakMb / apart.peakMb),
    once,
    apart,
  };
}

function sideOf(measured: readonly Measured[], { rows, shared, own }: Asked): PrefixSide {
  const seconds = median(measured.map((one) => one.seconds));
  return {
    seconds: rounded(seconds),
    tokensPerSecond: Math.round((rows * (shared + own)) / seconds),
    peakMb: Math.round(median(measured.map(({ peakMb }) => peakMb))),
  };
}

function distance(a: Float32Array, b: Float32Array): number {
  const norm = (values: Float32Array) => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0));
  return norm(a.map((value, i) => value - b[i]!)) / norm(b);
}

/** Of `own` tokens a rollout, first all tokens and then all log-probs. After a token that differs the texts do. */
function agreement(a: Float32Array, b: Float32Array, own: number) {
  const tokens = a.length / 2;
  let [logprobError, compared] = [0, 0];
  for (let start = 0; start < tokens; start += own) {
    for (let i = start; i < start + own && a[i] === b[i]; i++, compared++) {
      logprobError = Math.max(logprobError, Math.abs(a[tokens + i]! - b[tokens + i]!));
    }
  }
  return { logprobError, compared: rounded(compared / tokens) };
}
