/**
 * The world of errands of all lengths: scenario i has 1 + (i modulo 6) steps. `errands/define.ts` says what an errand
 * is.
 */
import { defineErrands } from "./errands/define-errands.ts";

export default defineErrands("everyday/errands", [1, 2, 3, 4, 5, 6]);
