/**
 * Defines the world of errands of all lengths: scenario i has 1 + (i modulo 6) steps. `errands/define-errands.ts`
 * explains errands.
 */
import { defineErrands } from "./errands/define-errands.ts";

export default defineErrands("everyday/errands", [1, 2, 3, 4, 5, 6]);
