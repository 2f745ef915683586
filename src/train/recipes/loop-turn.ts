/**
 * LOOP with one importance ratio a turn (arXiv 2502.01600, section 4.2, table 1 "LOOP (turn)").
 *
 * Deviations from the paper beside those of `starter` (1 to 6 there):
 *  7. The paper gives no equation for turns; ours is in `src/algo/ratio.ts`.
 */
import { onStarter, type Recipe } from "./recipe.ts";

export const loopTurn: Recipe = {
  summary: "LOOP with an importance ratio of every turn",
  config: onStarter({ algo: { ratio: "turn" } }),
};
