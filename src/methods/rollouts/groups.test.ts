import { expect, test } from "vitest";
import { fakeTask } from "../../testing/fake-episode.ts";
import { fakeWorld } from "../../testing/fake-world.ts";
import { resolveConfig } from "../../train/settings/resolve.ts";
import { collectDemonstrations } from "../../train/warm/demonstrations.ts";
import { requireTrainable } from "./groups.ts";

test("training takes train and dev tasks, and nothing that is for scoring only", async () => {
  const of = (split: "train" | "dev" | "handmade" | "test-normal") =>
    fakeTask({ split, id: `${split}/0/1` });
  expect(() => requireTrainable([of("train"), of("dev")])).not.toThrow();
  expect(() => requireTrainable([of("train"), of("test-normal")])).toThrow("for scoring only");
  await expect(
    collectDemonstrations(fakeWorld(), [of("handmade")], resolveConfig(), {}),
  ).rejects.toThrow("task handmade/0/1 is of the split handmade, which is for scoring only");
});
