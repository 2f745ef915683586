/** Errands of 3 steps. */
import { defineErrands } from "../define.ts";

export default defineErrands("everyday/errands-3", [3]);
