import { type Act, openWorld, resolveWorld, type TaskInfo, type World } from "bowline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { measureMint, mintWorld, nameFailedChecks, successWithin } from "./mint.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld(resolveWorld("toy").url, { seed: 1 });
});
afterAll(() => world.close());

/** A task that asks for a wrapped thing, and the cells of its right and its hasty solution. */
async function findPutTask() {
  const task = world.tasks("train", 8).find(({ signature }) => signature === "put.wrapped")!;
  const cellOf = async (style: "careful" | "hasty") =>
    (await world.demonstrate(task.id, style, 1)).turns[0]!.code;
  return { task, careful: await cellOf("careful"), hasty: await cellOf("hasty") };
}

test("after a failed proposal the agent starts again, and the partner names what failed", async () => {
  const { task, careful, hasty } = await findPutTask();
  const episode = await mintWorld(world, { partner: nameFailedChecks }).open(task.id);
  const first = await episode.step(hasty);
  expect(first.finished).toBe(false);
  expect(first.text).toMatch(/That is not right. Try again. Failed: shelf.things: /);
  const second = await episode.step(careful);
  expect(second.finished).toBe(true);
  expect(second.text).not.toContain("Try again");
  expect((await episode.evaluate()).passed).toBe(true);
  await episode.close();
});

test("without a partner the agent is told only that it failed, and the second proposal is the last", async () => {
  const { task, hasty } = await findPutTask();
  const episode = await mintWorld(world).open(task.id);
  expect((await episode.step(hasty)).text).toMatch(/That is not right. Try again.$/);
  expect((await episode.step(hasty)).finished).toBe(true);
  expect((await episode.evaluate()).passed).toBe(false);
  await episode.close();
});

test("an episode ends after its turns, and a fork has used up as many", async () => {
  const { task, careful } = await findPutTask();
  const episode = await mintWorld(world, { turns: 2 }).open(task.id);
  expect((await episode.step("print(1)")).finished).toBe(false);
  const fork = await episode.fork();
  expect((await episode.step("print(2)")).finished).toBe(true);
  expect((await episode.evaluate()).passed).toBe(false);
  await fork.step(careful);
  expect((await fork.evaluate()).passed).toBe(true);
  await Promise.all([episode.close(), fork.close()]);
});

test("success within k turns counts tasks that were solved in at most k turns", async () => {
  const tasks = world.tasks("train", 1);
  const turnsByTask = new Map(tasks.map(({ id }, i) => [id, i + 1]));
  const act = async (_: unknown, task: string | TaskInfo) => {
    const { id } = task as TaskInfo;
    const turns = Array.from({ length: turnsByTask.get(id)! });
    return { passed: id !== tasks[1]!.id, rollout: { turns } } as unknown as Act;
  };
  const found = await measureMint({ act }, world, tasks);
  expect(found).toEqual([1, null, 3]);
  expect([1, 2, 3].map((k) => successWithin(found, k))).toEqual([1 / 3, 1 / 3, 2 / 3]);
});
