/**
 * The error of a world whose worker thread ended by itself. That is a bug of the world, not a mistake of the caller.
 */
import { BowlineError } from "../../core/index.ts";

/** Thrown when a world's worker thread ended by itself. */
export class WorkerDeath extends BowlineError {}
