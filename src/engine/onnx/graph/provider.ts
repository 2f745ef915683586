/** Checks whether an execution provider works on this machine. */
import { BowlineError, errorMessage } from "../../../core/index.ts";
import { PROVIDERS, type Provider } from "./current-provider.ts";
import { Graph } from "./graph.ts";
import { getOnnxRuntime } from "./onnx-runtime.ts";

export * from "./current-provider.ts";

/** Returns the providers in this build of ONNX Runtime, whether or not the machine has the hardware. */
export function knownProviders(): readonly string[] {
  return getOnnxRuntime()
    .listSupportedBackends()
    .map(({ name }) => name);
}

/**
 * Throws a `config` error when sessions cannot run on `provider` here, because ONNX Runtime's build lacks it or its
 * libraries or hardware are missing. Running a session of one addition is the only sure test. Throws an `engine`
 * error when ONNX Runtime cannot be loaded.
 */
export async function requireProvider(provider: Provider): Promise<void> {
  getOnnxRuntime();
  if (provider === "cpu") return;
  const known = knownProviders();
  const reason = known.includes(provider)
    ? await findProviderFailure(provider)
    : `this build of ONNX Runtime has no ${provider}`;
  if (reason === undefined) return;
  throw new BowlineError("config", await describeUnusableProvider(provider, known, reason));
}

async function describeUnusableProvider(
  provider: Provider,
  known: readonly string[],
  reason: string,
): Promise<string> {
  const works: Provider[] = ["cpu"];
  for (const other of PROVIDERS) {
    if (other === "cpu" || other === provider || !known.includes(other)) continue;
    if ((await findProviderFailure(other)) === undefined) works.push(other);
  }
  return (
    `engine.provider: ${provider} cannot be used on ${process.platform}-${process.arch}: ${reason}; ` +
    `what works here: ${works.join(", ")}`
  );
}

/** Returns why a trivial session fails on `provider`, or undefined when it runs. */
async function findProviderFailure(provider: Provider): Promise<string | undefined> {
  // Failures are thrown. Without this line ONNX Runtime would print them too.
  const { env, InferenceSession } = getOnnxRuntime();
  env.logLevel = "fatal";
  const graph = new Graph("probe");
  const x = graph.addInput("x", "float32", [1]);
  graph.addOutput("y", graph.emit("Add", [x, x], [x])[0]!);
  try {
    const session = await InferenceSession.create(graph.encode(), {
      executionProviders: [provider],
      logSeverityLevel: 4,
    });
    await session.release();
    return undefined;
  } catch (error) {
    return trimRuntimeMessage(errorMessage(error));
  }
}

/** Returns the first line of a runtime message without the source location that ONNX Runtime puts before it. */
function trimRuntimeMessage(message: string): string {
  const line = message.trim().split("\n")[0]!;
  return line.replace(/^\/?[\w/.-]+\.cc:\d+ .*? was false\. /, "");
}
