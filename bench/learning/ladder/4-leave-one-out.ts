/**
 * The fourth rung subtracts the mean return of the group's other rollouts. So the method also learns from failed
 * rollouts, and learns less from easy tasks.
 */
import { defineVariant, onPolicy } from "bowline/methods";

export default defineVariant(onPolicy, {
  name: "ladder-4-leave-one-out",
  summary: "the third rung, against the mean of the others",
  preset: {
    algo: { reward: "strict", baseline: "leave-one-out", ratio: "token", clip: 0.2 },
  },
});
