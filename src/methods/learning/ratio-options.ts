/** Turns configuration fields on the importance ratio into options of the objective. */
import type { ObjectiveOptions } from "../../algo/index.ts";

type RatioConfig =
  | { readonly ratio: "none" }
  | (Pick<ObjectiveOptions, "clip" | "lowerClip"> & {
      readonly ratio: Exclude<ObjectiveOptions["ratio"], "none">;
      readonly upperClip: number | null;
      /** Exists only with the ratio `token`, because it selects single tokens. */
      readonly keptShare?: number | null;
    });

type RatioOptions = Pick<
  ObjectiveOptions,
  "ratio" | "clip" | "lowerClip" | "upperClip" | "keptShare"
>;

/** Returns the objective's options for ratio and clip. Without a ratio, nothing is clipped. */
export function ratioOptions(algo: RatioConfig): RatioOptions {
  if (algo.ratio === "none") return { ratio: "none", clip: Infinity, lowerClip: "paper" };
  const { ratio, clip, lowerClip, upperClip, keptShare = null } = algo;
  return {
    ratio,
    clip,
    lowerClip,
    ...(upperClip !== null && { upperClip }),
    ...(keptShare !== null && { keptShare }),
  };
}
