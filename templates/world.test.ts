/** Tests of the world: that its tasks are sound, and that its APIs do what they say. Run by `npm test`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkWorld, openWorld } from "bowline/world";

// Worker threads import the world themselves, so it is named by its URL.
const url = new URL("./world.ts", import.meta.url).href;

test("solutions pass, doing nothing and mistakes fail, other right ways pass", async () => {
  const report = await checkWorld(url, { seed: 1, split: "dev", scenarios: 10 });
  assert.deepEqual([report.failures, report.survivors, report.rejected], [[], [], []]);
  assert.equal(report.noopFail, report.tasks);
});

test("splits share no pair of customer and topic", async (t) => {
  const world = await openWorld(url, { seed: 1 });
  t.after(() => world.close());
  const asked = (split: "train" | "test-normal") =>
    new Set(
      world.tasks(split, 100).map(({ instruction }) => {
        const customer = /\b[A-Z][a-z]+\b/.exec(instruction)?.[0];
        return `${customer} ${/billing|login|printer|refund/.exec(instruction)?.[0]}`;
      }),
    );
  const train = asked("train");
  assert.deepEqual(
    [...asked("test-normal")].filter((pair) => train.has(pair)),
    [],
  );
});

test("an agent logs in, lists tickets and is told what it did wrong", async (t) => {
  const world = await openWorld(url, { seed: 1 });
  t.after(() => world.close());
  const episode = await world.open("dev/0/1");
  const say = async (code: string) => (await episode.step(code)).text;
  assert.match(await say('apis.desk.tickets({customer:"Ada"})'), /desk needs a session/);
  await say("apis.desk.login({password:apis.me.listAccounts().items[0].password})");
  const count = 'print(apis.desk.tickets({customer:"Ada",state:"closed"}).items.length)';
  assert.equal((await say(count)).trim(), "3"); // of four: a page holds three
  assert.match(await say("apis.desk.close({ticket:1})"), /ticket 1 is closed/);
  assert.equal((await episode.evaluate()).passed, false);
});
