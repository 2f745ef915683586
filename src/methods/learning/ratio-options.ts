/** From what a configuration says about the importance ratio to the objective's options. */
import type { ObjectiveOptions } from "../../algo/index.ts";

type RatioConfig =
  | { readonly ratio: "none" }
  | (Pick<ObjectiveOptions, "clip" | "lowerClip"> & {
      readonly ratio: Exclude<ObjectiveOptions["ratio"], "none">;
      readonly upperClip: number | null;
      /** Only tokens may be left out one by one. */
      readonly keptShare?: number | null;
    });

type RatioOptions = Pick<
  ObjectiveOptions,
  "ratio" | "clip" | "lowerClip" | "upperClip" | "keptShare"
>;

/** Without a ratio there is nothing to clip. */
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
