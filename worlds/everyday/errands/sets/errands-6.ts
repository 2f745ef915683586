/** Errands of 6 steps. */
import { defineErrands } from "../define.ts";

export default defineErrands("everyday/errands-6", [6]);
