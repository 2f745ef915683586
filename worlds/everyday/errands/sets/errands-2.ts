/** Errands of 2 steps. */
import { defineErrands } from "../define.ts";

export default defineErrands("everyday/errands-2", [2]);
