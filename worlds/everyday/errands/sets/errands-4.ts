/** Defines the world whose errands have 4 steps. */
import { defineErrands } from "../define-errands.ts";

export default defineErrands("everyday/errands-4", [4]);
