/** Defines the world whose errands have 2 steps. */
import { defineErrands } from "../define-errands.ts";

export default defineErrands("everyday/errands-2", [2]);
