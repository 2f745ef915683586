/** Lists the parts of the campaign. */
import { BowlineError, didYouMean } from "../../src/core/index.ts";
import { apiCalls } from "./api-calls.ts";
import { bodies } from "./bodies.ts";
import { crashPoints } from "./crash-points.ts";
import { diskFaults } from "./disk-faults.ts";
import { httpRequests } from "./http-requests.ts";
import { modelFiles } from "./model-files.ts";
import type { Part } from "./part.ts";
import { runFiles } from "./run-files.ts";
import { sandboxAttacks } from "./sandbox-attacks.ts";
import { tinkerFaults } from "./tinker-faults.ts";

export const PARTS: readonly Part[] = [
  apiCalls,
  httpRequests,
  bodies,
  modelFiles,
  runFiles,
  crashPoints,
  diskFaults,
  tinkerFaults,
  sandboxAttacks,
];

/** Returns the part with this name. Throws a `config` error when there is none. */
export function findPart(name: string): Part {
  const names = PARTS.map((part) => part.name);
  const found = PARTS.find((part) => part.name === name);
  if (found) return found;
  throw new BowlineError(
    "config",
    `--part: expected one of ${names.join(", ")}, got ${name}${didYouMean(name, names)}`,
  );
}
