/**
 * Where sessions run: an execution provider of ONNX Runtime, one for all sessions of a thread.
 *
 * One and not one a session, because all graphs of an engine share weight buffers and must round alike. The bit-for-bit
 * promises (a row does not see its batch, two threads repeat themselves) are proved for the CPU kernels only; another
 * provider is as exact as its kernels are. Operations that a provider lacks run on the CPU: the runtime sees to it.
 */
import { BowlineError, messageOf } from "../../../core/index.ts";
import { Graph } from "./graph.ts";
import { kernels } from "./kernels.ts";

/** What may run the kernels: `engine.provider`. */
export const PROVIDERS = ["cpu", "cuda", "webgpu", "coreml"] as const;
/** One of `PROVIDERS`. */
export type Provider = (typeof PROVIDERS)[number];

let current: Provider = "cpu";

/** From now on this thread's sessions run on `provider`; see `requireProvider` for whether it is there. */
export function useProvider(provider: Provider): void {
  current = provider;
}

/** In order of preference, as sessions take them. */
export function executionProviders(): Provider[] {
  return current === "cpu" ? ["cpu"] : [current, "cpu"];
}

/** Those that this build of the runtime knows on this platform, whether or not the machine has the hardware. */
export function knownProviders(): readonly string[] {
  return kernels()
    .listSupportedBackends()
    .map(({ name }) => name);
}

/**
 * Throws a `config` error when sessions cannot run on `provider` here: it is not in the runtime's build, or its
 * libraries or hardware are missing. A session of one addition is the only sure test. Throws an `engine` error when
 * there are no kernels at all.
 */
export async function requireProvider(provider: Provider): Promise<void> {
  kernels();
  if (provider === "cpu") return;
  const known = knownProviders();
  const reason = known.includes(provider)
    ? await failureOn(provider)
    : `this build of ONNX Runtime has no ${provider}`;
  if (reason === undefined) return;
  throw new BowlineError("config", await refusal(provider, known, reason));
}

async function refusal(
  provider: Provider,
  known: readonly string[],
  reason: string,
): Promise<string> {
  const works: Provider[] = ["cpu"];
  for (const other of PROVIDERS) {
    if (other === "cpu" || other === provider || !known.includes(other)) continue;
    if ((await failureOn(other)) === undefined) works.push(other);
  }
  return (
    `engine.provider: ${provider} cannot be used on ${process.platform}-${process.arch}: ${reason}; ` +
    `what works here: ${works.join(", ")}`
  );
}

/** Why a trivial session fails; undefined when it runs. */
async function failureOn(provider: Provider): Promise<string | undefined> {
  // What goes wrong is thrown; the runtime would print it too.
  const { env, InferenceSession } = kernels();
  env.logLevel = "fatal";
  const graph = new Graph("probe");
  const x = graph.input("x", "float32", [1]);
  graph.output("y", graph.emit("Add", [x, x], [x])[0]!);
  try {
    const session = await InferenceSession.create(graph.encode(), {
      executionProviders: [provider],
      logSeverityLevel: 4,
    });
    await session.release();
    return undefined;
  } catch (error) {
    return firstSentence(messageOf(error));
  }
}

/** Without the source locations that the runtime puts before what it has to say. */
function firstSentence(message: string): string {
  const line = message.trim().split("\n")[0]!;
  return line.replace(/^\/?[\w/.-]+\.cc:\d+ .*? was false\. /, "");
}
