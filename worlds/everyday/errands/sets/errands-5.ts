/** Defines the world whose errands have 5 steps. */
import { defineErrands } from "../define-errands.ts";

export default defineErrands("everyday/errands-5", [5]);
