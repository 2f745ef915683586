import { expect, test } from "vitest";
import { z } from "zod";
import { defineApi, defineApp, defineTable, defineWorld, type Task } from "../define.ts";
import { WorldInstance } from "../episode/index.ts";
import { createSandbox } from "../sandbox/index.ts";
import { checkTask } from "./index.ts";

const NOW = "2026-05-04T08:00:00Z";
type Parcel = { id: number; to: string; sentAt: string | number };

/** A post office that stores when a parcel was sent. The goal can only guess the time of the call. */
function createPost(classes: object, time: (now: string) => string | number) {
  const parcels = defineTable<Parcel>("post.parcels", { classes });
  const send = defineApi({
    summary: "Send a parcel.",
    params: z.strictObject({ to: z.string().describe("who gets it") }),
    returns: z.object({ id: z.number() }),
    handler: ({ db, now }, { to }) => db.insert(parcels, { to, sentAt: time(now) }),
  });
  const task: Task = {
    signature: "send",
    difficulty: 1,
    instruction: "Send a parcel to Bo.",
    goal: (db) => {
      db.insert(parcels, { to: "Bo", sentAt: time(NOW) });
      return {};
    },
    *solution() {
      yield "apis.docs.listApps({}); apis.docs.listApps({})";
      yield "apis.post.send({ to: 'Bo' }); apis.me.finishTask({})";
    },
  };
  const post = defineApp({ name: "post", summary: "Post.", tables: [parcels], apis: { send } });
  const definition = defineWorld({
    ...{ name: "post", now: NOW, apps: [post], scenarios: { train: 1 } },
    populate: () => ({ name: "Ida", email: "ida@x.example", phone: "1" }),
    scenario: () => [task, task, task],
  });
  return new WorldInstance(definition, 1);
}

test.each<[string, (now: string) => string | number]>([
  ["instants", (now) => now],
  ["milliseconds", (now) => Date.parse(now)],
])(
  "times that differ by seconds are explained, with the declaration that cures them: %s",
  async (_, time) => {
    const { why } = await checkTask(createPost({}, time), await createSandbox(), "train/0/1", 1);
    expect(why).toContain("post.parcels: added sentAt (expected ");
    expect(why).toContain(
      'the times differ by 2 s, because each call moves the clock: if the task is not about this time, declare the column as bookkeeping: defineTable("post.parcels", { classes: { sentAt: "bookkeeping" } })',
    );
    const cured = createPost({ sentAt: "bookkeeping" }, time);
    expect((await checkTask(cured, await createSandbox(), "train/0/1", 1)).why).toBeUndefined();
  },
);

test("times that differ by days get no such advice", async () => {
  const week = (now: string) => (now === NOW ? "2026-05-11T08:00:00Z" : now);
  const { why } = await checkTask(createPost({}, week), await createSandbox(), "train/0/1", 1);
  expect(why).not.toContain("bookkeeping");
});
