/**
 * The third rung adds an importance ratio for each token and LOOP's clip, which gives no gradient to tokens whose
 * probability has moved far enough.
 */
import { defineVariant, onPolicy } from "bowline/methods";

export default defineVariant(onPolicy, {
  name: "ladder-3-ratio",
  summary: "the second rung, with token ratios and their clip",
  preset: {
    algo: { reward: "strict", baseline: "none", ratio: "token", clip: 0.2 },
  },
});
