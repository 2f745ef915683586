/**
 * LOOP with advantages divided by the standard deviation of their group (arXiv 2502.01600, table 1 "LOOP RwNorm").
 *
 * Deviations from the paper beside those of `starter` (1 to 6 there):
 *  7. As in the released code, the leave-one-out advantage is divided by the population standard deviation.
 */
import { onStarter, type Recipe } from "./recipe.ts";

export const loopRwnorm: Recipe = {
  summary: "LOOP with advantages divided by the spread of their group",
  config: onStarter({ algo: { scale: "group" } }),
};
