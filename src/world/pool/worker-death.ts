/** A thread of a world ended by itself, which no world without a bug does: an error of its own, since nobody asked wrongly. */
import { BowlineError } from "../../core/index.ts";

export class WorkerDeath extends BowlineError {}
