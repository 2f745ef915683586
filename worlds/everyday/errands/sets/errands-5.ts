/** Errands of 5 steps. */
import { defineErrands } from "../define.ts";

export default defineErrands("everyday/errands-5", [5]);
