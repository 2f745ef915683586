/** Plays a hundred episodes through each door to worlds of others, with faulty programs. `tests/all` plays a thousand. */
import { test } from "vitest";
import { DOOR_NAMES } from "../support/foreign/doors.ts";
import { expectNoHarm, expectNoHarmInAppWorld } from "../support/play-with-faults.ts";

test.concurrent.each(DOOR_NAMES)(
  "a hundred episodes through the door %s give no wrong reward and leave nothing behind",
  (door) => expectNoHarm(door, 100),
  240_000,
);

test.concurrent(
  "a hundred episodes on servers of AppWorld give no wrong result and leave nothing behind",
  () => expectNoHarmInAppWorld(100),
  240_000,
);
