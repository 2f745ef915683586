/** Scenarios 31 to 60. */
import type { HandmadeScenario } from "../scenario.ts";

export const second: readonly HandmadeScenario[] = [];
