import { expect, test } from "vitest";
import { fakeTask } from "../../testing/fake-episode.ts";
import { fakeWorld } from "../../testing/fake-world.ts";
import { resolveConfig } from "../../train/settings/resolve.ts";
import { collectDemonstrations } from "../../train/warm/demonstrations.ts";
import { requireTrainable } from "./groups.ts";

test("training accepts tasks of the splits train and dev, and refuses all others", async () => {
  const taskOfSplit = (split: "train" | "dev" | "handmade" | "test-normal") =>
    fakeTask({ split, id: `${split}/0/1` });
  expect(() => requireTrainable([taskOfSplit("train"), taskOfSplit("dev")])).not.toThrow();
  expect(() => requireTrainable([taskOfSplit("train"), taskOfSplit("test-normal")])).toThrow(
    "for scoring only",
  );
  await expect(
    collectDemonstrations(fakeWorld(), [taskOfSplit("handmade")], resolveConfig(), {}),
  ).rejects.toThrow("task handmade/0/1 belongs to the split handmade, which is for scoring only");
});
