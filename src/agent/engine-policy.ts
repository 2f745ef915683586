/** A policy that samples from an engine's weights. Concurrent rollouts share the engine's decoding batches. */
import { copyWithList } from "../core/index.ts";
import type { Engine, TokenPolicy } from "../spec/index.ts";

/** Creates the policy. With `policyVersion`, every token is sampled with that version, otherwise with the newest. */
export function enginePolicy(
  engine: Pick<Engine, "sample" | "release"> & Partial<Pick<Engine, "info">>,
  policyVersion?: number,
): TokenPolicy {
  const pinned = policyVersion === undefined ? {} : { policyVersion };
  return {
    kind: "tokens",
    get filtersSamples() {
      return engine.info?.capabilities.filteredSamples ?? false;
    },
    sample: async (request, signal) =>
      (await engine.sample([copyWithList(request, pinned)], signal))[0]!,
    release: (cacheKey) => engine.release(cacheKey),
  };
}
