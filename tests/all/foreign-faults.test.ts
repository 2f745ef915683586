/**
 * Plays a thousand episodes through each door to worlds of others, with programs that die and start again, hang and
 * answer garbage: nothing is counted twice, no reward is invented, no process, folder or socket is left behind, and
 * memory does not grow. `tests/slow` plays a hundred.
 */
import { test } from "vitest";
import { DOOR_NAMES } from "../support/foreign/doors.ts";
import { expectNoHarm } from "../support/foreign/play-with-faults.ts";

test.each(DOOR_NAMES)(
  "a thousand episodes through the door %s give no wrong reward and leave nothing behind",
  (door) => expectNoHarm(door, 1000),
  900_000,
);
