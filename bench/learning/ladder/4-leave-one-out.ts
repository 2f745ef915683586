/** Fourth rung: the mean of the others of its group is subtracted, so failures are learned from, and easy tasks less. */
import { defineVariant, onPolicy } from "bowline/methods";

export default defineVariant(onPolicy, {
  name: "ladder-4-leave-one-out",
  summary: "the third rung, against the mean of the others",
  preset: {
    algo: { reward: "strict", baseline: "leave-one-out", ratio: "token", clip: 0.2 },
  },
});
