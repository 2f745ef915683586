/**
 * The process that tries a provider, so that a driver which crashes ends this process and not the program. Its
 * arguments are the provider and what is wanted: `probe` runs a trivial graph, `check` compares with the CPU. It sends
 * one message to its parent and ends.
 */
import { errorMessage } from "../../../core/index.ts";
import { type Provider, requireProvider } from "../graph/index.ts";
import { compareWithCpu, type ProcessAnswer } from "./compare-with-cpu.ts";

async function answerParent(): Promise<ProcessAnswer> {
  const [provider, wanted] = process.argv.slice(2) as [Provider, "probe" | "check"];
  try {
    await requireProvider(provider);
    if (wanted === "probe") return { status: "usable" };
    return { status: "compared", comparison: await compareWithCpu(provider) };
  } catch (error) {
    return { status: "unusable", problem: errorMessage(error) };
  }
}

process.send?.(await answerParent(), () => process.exit());
