/** Defines the world whose errands have 1 step. */
import { defineErrands } from "../define-errands.ts";

export default defineErrands("everyday/errands-1", [1]);
