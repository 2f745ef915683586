/** What every app brings to the goal algebra. */
import type { Parts } from "../algebra/parts.ts";

export const allParts: readonly Parts[] = [];
