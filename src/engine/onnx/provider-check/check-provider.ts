/**
 * The gate before every provider other than the CPU. A provider computes for the engine only after it gave the CPU's
 * results on this machine: outputs and gradients of each operator, and a small decoder's log-probs, gradient,
 * optimizer step and samples. A provider with a wrong kernel would train wrong in silence.
 *
 * The comparison takes seconds and runs in a process of its own. Its result is kept in the user's cache folder for
 * this adapter, driver, ONNX Runtime and these graphs.
 */
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import {
  BowlineError,
  createFolder,
  resolveBuiltUrl,
  writeFileAtomic,
} from "../../../core/index.ts";
import { checkOnnxRuntime, type Provider, requireProvider } from "../graph/index.ts";
import { listAdapters } from "./adapter.ts";
import { describeFault } from "./compare-outputs.ts";
import { type Comparison, digestGraphs, type ProcessAnswer } from "./compare-with-cpu.ts";

const comparisonSchema: z.ZodType<Comparison> = z.object({
  faults: z.array(z.object({ of: z.string(), output: z.string(), relative: z.number() })),
  failures: z.array(z.string()),
  largest: z.number(),
  repeatsItsBits: z.boolean(),
  keepsBitsInBatch: z.boolean(),
  seconds: z.number(),
});

/** Throws a `config` error, of one line, when a provider does not run here or does not compute what the CPU does. */
export async function requireTrustedProvider(provider: Provider): Promise<void> {
  if (provider === "cpu") return requireProvider(provider);
  const known = readCheck(provider);
  if (known) await requireProvider(provider);
  const comparison = known ?? (await checkOnce(provider));
  const problem = describeProblem(comparison);
  if (problem === undefined) return;
  throw new BowlineError(
    "config",
    `engine.provider: ${provider} does not compute what the CPU computes on this machine, so nothing is trained on it: ` +
      `${problem}; use engine.provider cpu, or try again with another driver (bowline doctor --gpu)`,
  );
}

/** The comparisons that run now. Engines that start at the same time wait for one comparison. */
const running = new Map<Provider, Promise<Comparison>>();

function checkOnce(provider: Provider): Promise<Comparison> {
  const known = running.get(provider);
  if (known) return known;
  const started = checkProvider(provider).finally(() => running.delete(provider));
  running.set(provider, started);
  return started;
}

/** Returns what is wrong with a provider, in the words of its first fault, or undefined when it is trusted. */
export function describeProblem({ faults, failures }: Comparison): string | undefined {
  const all = [...failures, ...faults.map(describeFault)];
  if (all.length === 0) return undefined;
  return all.length === 1 ? all[0] : `${all[0]}, and ${all.length - 1} more`;
}

/**
 * Compares a provider with the CPU, whether or not that was done before, and keeps the result. Throws a `config`
 * error when the provider does not run here.
 */
export async function checkProvider(provider: Provider): Promise<Comparison> {
  const answer = await askProcess(provider, "check");
  if (answer.status !== "compared") {
    const problem = answer.status === "unusable" ? answer.problem : "it gave no answer";
    throw new BowlineError("config", problem);
  }
  writeCheck(provider, answer.comparison);
  return answer.comparison;
}

/** Returns why a provider cannot run even a trivial graph here, or undefined when it can. */
export async function findProviderProblem(provider: Provider): Promise<string | undefined> {
  const answer = await askProcess(provider, "probe");
  return answer.status === "unusable" ? answer.problem : undefined;
}

const PROCESS_ENTRY = new URL("./check-process.ts", import.meta.url);

function askProcess(provider: Provider, wanted: "probe" | "check"): Promise<ProcessAnswer> {
  const entry = resolveBuiltUrl(PROCESS_ENTRY.href);
  const execArgv = entry.endsWith(".ts") ? ["--import", import.meta.resolve("tsx")] : [];
  const child = fork(fileURLToPath(entry), [provider, wanted], {
    execArgv,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  return new Promise((resolve) => {
    const fail = (problem: string) =>
      resolve({ status: "unusable", problem: `engine.provider: ${provider}: ${problem}` });
    child.once("message", (answer) => resolve(answer as ProcessAnswer));
    child.once("error", (error) => fail(`it could not be tried: ${error.message}`));
    child.once("exit", (code, signal) =>
      fail(`the process that tried it ended with ${signal ?? `exit code ${code}`}`),
    );
  });
}

/** Returns the kept comparison of a provider on this machine, if there is one. */
export function readCheck(provider: Provider): Comparison | undefined {
  try {
    return comparisonSchema.parse(JSON.parse(readFileSync(checkPath(provider), "utf8")).comparison);
  } catch {
    return undefined;
  }
}

/** Keeps a comparison. A folder that cannot be written costs only a second check. */
function writeCheck(provider: Provider, comparison: Comparison): void {
  const path = checkPath(provider);
  try {
    createFolder(dirname(path));
    writeFileAtomic(path, JSON.stringify({ of: describeCircumstances(provider), comparison }));
  } catch {}
}

function checkPath(provider: Provider): string {
  const key = createHash("sha256").update(JSON.stringify(describeCircumstances(provider)));
  return join(cacheFolder(), `${provider}-${key.digest("hex").slice(0, 16)}.json`);
}

/** Everything that can be known and may change what a provider computes. */
function describeCircumstances(provider: Provider): object {
  const runtime = checkOnnxRuntime();
  return {
    provider,
    adapters: listAdapters(),
    platform: `${process.platform}-${process.arch}`,
    onnxruntime: runtime.installed ? runtime.version : null,
    graphs: digestGraphs(provider),
  };
}

/** Returns the folder of this program in the user's cache folder. BOWLINE_CACHE names another. */
function cacheFolder(): string {
  const { env, platform } = process;
  const named = env["BOWLINE_CACHE"];
  if (named) return named;
  if (platform === "win32" && env["LOCALAPPDATA"])
    return join(env["LOCALAPPDATA"], "bowline", "providers");
  if (platform === "darwin") return join(homedir(), "Library", "Caches", "bowline", "providers");
  return join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "bowline", "providers");
}
