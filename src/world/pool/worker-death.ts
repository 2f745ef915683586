/**
 * A thread of a world ended by itself. That is a bug of the world and no mistake of the caller, hence a class of its
 * own.
 */
import { BowlineError } from "../../core/index.ts";

/** Thrown when a world's worker thread ended by itself. */
export class WorkerDeath extends BowlineError {}
