/** What photos brings to the goal algebra. */
import type { Parts } from "../../algebra/parts.ts";

export const photosParts: Parts = {};
