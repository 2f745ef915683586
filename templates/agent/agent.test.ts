/** Tests of the agent with a teacher in place of the model. `npm test` runs them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { playWithTeacher } from "bowline";
import { playTask } from "./episode.ts";
import { modelInTraining } from "./model.ts";
import { type DeskTask, demonstrate, drawTasks } from "./tasks.ts";

/** Plays a task with the answers of a teacher, who is hasty or careful. */
const play = (task: DeskTask, isHasty: boolean) =>
  playWithTeacher({
    task,
    run: (task, context) => playTask(task, modelInTraining(context), context.signal),
    teacher: ({ messages }) =>
      demonstrate(
        task,
        messages.flatMap(({ parts }) =>
          parts.flatMap((part) => (part.type === "tool-result" ? [part.text] : [])),
        ),
        isHasty,
      ),
  });

const tasks = drawTasks("train", 20);

test("a careful model gets the reward in every kind of task", async () => {
  for (const task of tasks) assert.equal((await play(task, false)).reward, 1, task.kind);
});

test("a hasty model gets no reward, because it acts on the wrong parcel", async () => {
  for (const task of tasks) assert.equal((await play(task, true)).reward, 0, task.kind);
});

test("the agent shows the model its four tools", async () => {
  const { conversations } = await play(tasks[0]!, false);
  assert.deepEqual(
    conversations[0]?.tools?.map(({ name }) => name),
    ["find_parcel", "refund", "send_voucher", "redeliver"],
  );
});
