/** Tests that a world which knows the attempts of an equal one draws the same tasks, and does not search for them. */
import { WorldUnderTest } from "bowline/testing";
import { expect, test } from "vitest";
import everyday from "./everyday.ts";

/** Opens the world and counts the copies of the population that scenarios need. */
function openCounted() {
  let copies = 0;
  const world = new WorldUnderTest(
    {
      ...everyday,
      scenario: (request) =>
        everyday.scenario({
          ...request,
          scratch: () => {
            copies += 1;
            return request.scratch();
          },
        }),
    },
    1,
  );
  return { world, copies: () => copies };
}

test("known attempts give the same tasks with the same solutions, without a search", async () => {
  const [first, second] = [openCounted(), openCounted()];
  const tasks = first.world.tasks("train", 30);
  for (const { id } of tasks) {
    second.world.rememberAttempts(id, first.world.findAttempts(id)!);
  }
  expect(second.world.tasks("train", 30)).toEqual(tasks);
  expect(second.copies()).toBeLessThan(first.copies() / 3);
  for (const { id } of tasks.filter((_, i) => i % 15 === 0)) {
    expect(second.world.prepareTask(id).checks.outcome).toEqual(
      first.world.prepareTask(id).checks.outcome,
    );
    expect(await second.world.demonstrate(id)).toEqual(await first.world.demonstrate(id));
  }
});
