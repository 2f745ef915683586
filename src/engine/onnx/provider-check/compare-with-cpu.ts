/** Runs everything that the check compares, on the CPU and on another provider, in this thread. */

import { createHash } from "node:crypto";
import { errorMessage } from "../../../core/index.ts";
import { getProvider, type Provider, setProvider } from "../graph/index.ts";
import { type Deviation, findFaults, measureDeviations } from "./compare-outputs.ts";
import { type DecoderRun, encodeDecoderGraphs, runDecoder } from "./decoder-case.ts";
import {
  buildOperatorCase,
  OPERATOR_CASES,
  type Outputs,
  runOperatorCase,
} from "./operator-cases.ts";

/** How a provider compares with the CPU. */
export interface Comparison {
  /** What deviates by more than rounding, operators first. The provider is trusted when there is none. */
  readonly faults: readonly Deviation[];
  /** What the provider cannot run at all: the operator or part, and why. */
  readonly failures: readonly string[];
  /** The largest deviation of all outputs. */
  readonly largest: number;
  readonly repeatsItsBits: boolean;
  readonly keepsBitsInBatch: boolean;
  readonly seconds: number;
}

/** What the process that tries a provider sends to its parent. */
export type ProcessAnswer =
  | { readonly status: "usable" }
  | { readonly status: "compared"; readonly comparison: Comparison }
  | { readonly status: "unusable"; readonly problem: string };

/** Compares a provider with the CPU. No other graph may be built or run in this thread meanwhile. */
export async function compareWithCpu(provider: Provider): Promise<Comparison> {
  const start = performance.now();
  const deviations: Deviation[] = [];
  const failures: string[] = [];
  const attempt = async <T>(of: string, run: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await run();
    } catch (error) {
      failures.push(`${of}: ${errorMessage(error).split("\n")[0]}`);
      return undefined;
    }
  };
  for (const one of OPERATOR_CASES) {
    const run = () => runOperatorCase(one);
    const cpu = await runOn("cpu", run);
    const other = await attempt(one.operator, () => runOn(provider, run));
    if (other) deviations.push(...measureDeviations(one.operator, cpu, other));
  }
  const cpu = await runOn("cpu", runDecoder);
  const other = await attempt("decoder", () => runOn(provider, runDecoder));
  for (const [part, outputs] of Object.entries(other?.parts ?? {})) {
    deviations.push(...measureDeviations(part, cpu.parts[part] as Outputs, outputs));
  }
  return summarise(deviations, failures, other, (performance.now() - start) / 1000);
}

/** Returns a digest of every graph that the comparison runs, as the graph builder builds them for a provider. */
export function digestGraphs(provider: Provider): string {
  const hash = createHash("sha256");
  const before = getProvider();
  setProvider(provider);
  try {
    for (const one of OPERATOR_CASES) hash.update(buildOperatorCase(one).graph.encode());
    for (const bytes of encodeDecoderGraphs()) hash.update(bytes);
  } finally {
    setProvider(before);
  }
  return hash.digest("hex");
}

async function runOn<T>(provider: Provider, run: () => Promise<T>): Promise<T> {
  setProvider(provider);
  try {
    return await run();
  } finally {
    setProvider("cpu");
  }
}

function summarise(
  deviations: readonly Deviation[],
  failures: readonly string[],
  decoder: DecoderRun | undefined,
  seconds: number,
): Comparison {
  return {
    faults: findFaults(deviations),
    failures,
    largest: Math.max(0, ...deviations.map(({ relative }) => relative)),
    repeatsItsBits: decoder?.repeatsItsBits ?? false,
    keepsBitsInBatch: decoder?.keepsBitsInBatch ?? false,
    seconds: Math.round(seconds * 10) / 10,
  };
}
