/** The configuration section `optimizer`: AdamW, with the same fields for every method. */
import { z } from "zod";
import { section } from "../../core/index.ts";
import { number, share } from "./numbers.ts";

export const optimizer = section({
  learningRate: number(0, 1).default(5e-5).describe("Learning rate in the first iteration"),
  moments: z
    .enum(["fresh", "kept"])
    .default("fresh")
    .describe(
      "AdamW's moments after a warm start: fresh, reset to zero as in the paper's code; kept, those of the warm start",
    ),
  finalRate: share()
    .default(1)
    .describe(
      "Learning rate in the last iteration, as a share of the first. It changes linearly in between; 1: constant (paper)",
    ),
  betas: z
    .tuple([number(0, 0.9999), number(0, 0.999999)])
    .default([0.9, 0.999])
    .describe("AdamW: decay rates of the first and of the second moment")
    .meta({ expected: "a list of two numbers below 1, such as 0.9,0.999" }),
  weightDecay: number(0, 1).default(0.01).describe("AdamW: decoupled weight decay"),
  maxGradientNorm: number(1e-6, 1e9)
    .default(1)
    .describe("Largest global gradient norm; a larger gradient is scaled down to it"),
});
