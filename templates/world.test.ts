/** Tests of the world: its tasks are sound, and its APIs do what they say. `npm test` runs them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkWorld, openWorld } from "bowline/world";

// The world is passed as a URL, because worker threads import it themselves.
const url = new URL("./world.ts", import.meta.url).href;

test("solutions pass, doing nothing and mistakes fail, other correct solutions pass", async () => {
  const report = await checkWorld(url, { seed: 1, split: "dev", scenarios: 10 });
  assert.deepEqual([report.failures, report.survivors, report.rejected], [[], [], []]);
  assert.equal(report.noopFail, report.tasks);
});

test("train and test-normal share no pair of customer and topic", async (t) => {
  const world = await openWorld(url, { seed: 1 });
  t.after(() => world.close());
  const pairsIn = (split: "train" | "test-normal") =>
    new Set(
      world.tasks(split, 100).map(({ instruction }) => {
        const customer = /\b[A-Z][a-z]+\b/.exec(instruction)?.[0];
        return `${customer} ${/billing|login|printer|refund/.exec(instruction)?.[0]}`;
      }),
    );
  const trainingPairs = pairsIn("train");
  assert.deepEqual(
    [...pairsIn("test-normal")].filter((pair) => trainingPairs.has(pair)),
    [],
  );
});

test("an agent can log in and list tickets, and wrong calls get an error message", async (t) => {
  const world = await openWorld(url, { seed: 1 });
  t.after(() => world.close());
  const episode = await world.open("dev/0/1");
  const run = async (code: string) => (await episode.step(code)).text;
  assert.match(await run('apis.desk.tickets({customer:"Ada"})'), /desk needs a session/);
  await run("apis.desk.login({password:apis.me.listAccounts().items[0].password})");
  const count = 'print(apis.desk.tickets({customer:"Ada",state:"closed"}).items.length)';
  assert.equal((await run(count)).trim(), "3"); // There are four tickets, and a page holds three.
  assert.match(await run("apis.desk.close({ticket:1})"), /ticket 1 is closed/);
  assert.equal((await episode.evaluate()).passed, false);
});
