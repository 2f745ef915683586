/**
 * What it is worth to compute shared beginnings once: the same step with and without, by turns, each in a process of its
 * own.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { BowlineError, builtUrl, messageOf, thisMachine } from "../../core/index.ts";
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

export interface PrefixBench {
  readonly machine: ReturnType<typeof thisMachine>;
  readonly work: Asked;
  readonly train: {
    /** How many times as fast, and what part of the memory, with shared tokens computed once. */
    readonly speedup: number;
    readonly memoryRatio: number;
    /** |gradient - gradient apart| / |gradient apart| of the adapter. */
    readonly gradientError: number;
    readonly once: PrefixSide;
    readonly apart: PrefixSide;
  };
}

interface Measured {
  readonly seconds: number;
  readonly peakMb: number;
  readonly gradient: Float32Array;
}

export async function benchPrefix(options: PrefixBenchOptions): Promise<PrefixBench> {
  const { rounds, onPhase = () => {}, ...work } = options;
  const directory = mkdtempSync(join(tmpdir(), "bowline-prefix-"));
  const sides: { readonly once: Measured[]; readonly apart: Measured[] } = { once: [], apart: [] };
  try {
    for (let round = 0; round < rounds; round++) {
      for (const side of ["apart", "once"] as const) {
        onPhase(`round ${round + 1} of ${rounds}: ${work.rows} rows, shared tokens ${side}`);
        const file = join(directory, "gradient");
        sides[side].push(await step({ ...work, once: side === "once" }, file));
      }
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const [once, apart] = [sideOf(sides.once, work), sideOf(sides.apart, work)];
  return {
    machine: thisMachine(),
    work,
    train: {
      speedup: rounded(apart.seconds / once.seconds),
      memoryRatio: rounded(once.peakMb / apart.peakMb),
      gradientError: distance(sides.once[0]!.gradient, sides.apart[0]!.gradient),
      once,
      apart,
    },
  };
}

async function step(
  { layers, ...rest }: Asked & { once: boolean },
  file: string,
): Promise<Measured> {
  const entry = fileURLToPath(builtUrl(new URL("./step-process.ts", import.meta.url).href));
  const loader = entry.endsWith(".ts") ? ["--import", import.meta.resolve("tsx")] : [];
  try {
    const model = { ...PUBLISHED["smollm2-135m"], layers };
    const args = [...loader, entry, JSON.stringify({ ...rest, model } satisfies PrefixWork), file];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const bytes = readFileSync(file);
    const gradient = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    return { ...(JSON.parse(stdout) as Omit<Measured, "gradient">), gradient };
  } catch (cause) {
    throw new BowlineError("engine", `the measured process failed: ${messageOf(cause)}`, { cause });
  }
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
