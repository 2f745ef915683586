/** Which graphics adapter a provider computes on here, and whether it was compared with the CPU. */
import { BowlineError } from "../../../core/index.ts";
import { checkOnnxRuntime, PROVIDERS, type Provider } from "../graph/index.ts";
import { listAdapters } from "./adapter.ts";
import {
  checkProvider,
  describeProblem,
  findProviderProblem,
  readCheck,
} from "./check-provider.ts";

/** An adapter on which a provider runs. The field names are part of the output of `bowline doctor --json`. */
export interface GraphicsAdapter {
  readonly provider: Exclude<Provider, "cpu">;
  /** Its name as the operating system tells it, or "unknown". With several adapters, all their names. */
  readonly name: string;
  /** Its memory, or null when the operating system does not tell it. */
  readonly memoryMb: number | null;
  readonly driver: string | null;
  /** Whether what it computes was compared with the CPU, and agreed. */
  readonly check: "none" | "agrees" | "deviates";
  /** What deviates, or an empty string. */
  readonly problem: string;
  /** Whether the same work gave the same bits twice; null before the comparison. */
  readonly repeatsItsBits: boolean | null;
  /** Whether a sampled row has the same bits alone and in a batch; null before the comparison. */
  readonly keepsBitsInBatch: boolean | null;
}

/** Returns the adapters that run a trivial graph. With `compares`, each is compared with the CPU, which takes seconds. */
export async function findGraphicsAdapters(compares = false): Promise<GraphicsAdapter[]> {
  const runtime = checkOnnxRuntime();
  if (!runtime.installed) return [];
  const found: GraphicsAdapter[] = [];
  for (const provider of PROVIDERS) {
    if (provider === "cpu" || !runtime.providers.includes(provider)) continue;
    if ((await findProviderProblem(provider)) === undefined)
      found.push(await describeGraphicsAdapter(provider, compares));
  }
  return found;
}

async function describeGraphicsAdapter(
  provider: GraphicsAdapter["provider"],
  compares: boolean,
): Promise<GraphicsAdapter> {
  const adapters = listAdapters();
  const [first] = adapters;
  const comparison = compares ? await compareOrFail(provider) : readCheck(provider);
  const failure =
    typeof comparison === "string" ? comparison : comparison && describeProblem(comparison);
  const checked = typeof comparison === "string" ? undefined : comparison;
  return {
    provider,
    name: adapters.map(({ name }) => name).join(" or ") || "unknown",
    memoryMb: first?.memoryBytes === undefined ? null : Math.round(first.memoryBytes / 2 ** 20),
    driver: first?.driver ?? null,
    check: comparison === undefined ? "none" : failure === undefined ? "agrees" : "deviates",
    problem: failure ?? "",
    repeatsItsBits: checked?.repeatsItsBits ?? null,
    keepsBitsInBatch: checked?.keepsBitsInBatch ?? null,
  };
}

async function compareOrFail(provider: Provider) {
  try {
    return await checkProvider(provider);
  } catch (error) {
    if (BowlineError.is(error)) return error.message;
    throw error;
  }
}
