/** Defines the world whose errands have 6 steps. */
import { defineErrands } from "../define-errands.ts";

export default defineErrands("everyday/errands-6", [6]);
