/** Errands of all lengths: scenario i has i modulo 6, plus 1, steps. `errands/define.ts` says what an errand is. */
import { defineErrands } from "./errands/define.ts";

export default defineErrands("everyday/errands", [1, 2, 3, 4, 5, 6]);
