/** Errands of 1 step. */
import { defineErrands } from "../define.ts";

export default defineErrands("everyday/errands-1", [1]);
