/** An engine's weights as a policy. Concurrent rollouts share the engine's decoding batches. */
import type { Engine, Policy } from "../spec/index.ts";

export function enginePolicy(engine: Pick<Engine, "sample" | "release">): Policy {
  return {
    kind: "tokens",
    sample: async (request, signal) => (await engine.sample([request], signal))[0]!,
    release: (cacheKey) => engine.release(cacheKey),
  };
}
