/** Defines the world whose errands have 3 steps. */
import { defineErrands } from "../define-errands.ts";

export default defineErrands("everyday/errands-3", [3]);
