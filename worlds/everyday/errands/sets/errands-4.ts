/** Errands of 4 steps. */
import { defineErrands } from "../define.ts";

export default defineErrands("everyday/errands-4", [4]);
