/** Third rung: an importance ratio for each token, and the clip (as wide as LOOP's on `starter`) that stops a token which has moved far enough. */
import { defineVariant, onPolicy } from "bowline/methods";

export default defineVariant(onPolicy, {
  name: "ladder-3-ratio",
  summary: "the second rung, with token ratios and their clip",
  preset: {
    algo: { reward: "strict", baseline: "none", ratio: "token", clip: 0.2 },
  },
});
