/**
 * Plays a thousand episodes through each door to worlds of others, with programs that die and start again, hang and
 * answer garbage: nothing is counted twice, no reward is invented, nothing is left behind, and memory does not grow.
 * `tests/slow` plays a hundred, and `tests/slow/environment-faults.test.ts` does the same with `command()` itself.
 */
import { test } from "vitest";
import { DOOR_NAMES } from "../support/foreign/doors.ts";
import {
  expectNoHarm,
  expectNoHarmInAppWorld,
  expectNoHarmInPresets,
} from "../support/play-with-faults.ts";

const EPISODES = 1000;
const LIMIT_MS = 1_800_000;

test.each(DOOR_NAMES)(
  "a thousand episodes through the door %s give no wrong reward and leave nothing behind",
  (door) => expectNoHarm(door, EPISODES),
  LIMIT_MS,
);

test(
  "a thousand episodes on servers of AppWorld give no wrong result and leave nothing behind",
  () => expectNoHarmInAppWorld(EPISODES),
  LIMIT_MS,
);

test(
  "a thousand episodes of the presets give no wrong reward and leave nothing behind",
  () => expectNoHarmInPresets(EPISODES),
  LIMIT_MS,
);
