/** Runs the worked example of the react prompt, whose code still prints what the prompt shows. */
import { expect, test } from "vitest";
import { extractReactCode, REACT_EXAMPLE } from "../../src/agent/index.ts";
import { LiveEpisode, WorldInstance } from "../../src/world/episode/index.ts";
import { createSandbox } from "../../src/world/sandbox/index.ts";
import everyday from "../../worlds/everyday/everyday.ts";

test("the code of the example prints what the prompt shows, and its answer is right", async () => {
  const world = new WorldInstance(everyday, 0);
  const episode = LiveEpisode.open(world, await createSandbox(), "train/0/1");
  for (const { message, observation } of REACT_EXAMPLE.turns.slice(0, -1)) {
    expect((await episode.step(extractReactCode(message))).text).toBe(observation);
  }
  // This code finds the answer in another way: it reads all songs and filters them.
  const { stdout } = await episode.step(`const all = [];
for (let page = 1, more = true; more; page++) {
  const list = apis.music.library({ page, size: 20 });
  all.push(...list.items);
  more = list.more;
}
const rated = all.filter(({ stars }) => stars === 5);
const fewest = Math.min(...rated.map(({ plays }) => plays));
print(rated.filter(({ plays }) => plays === fewest).map(({ title }) => title));`);
  const last = extractReactCode(REACT_EXAMPLE.turns.at(-1)!.message);
  const answers = JSON.parse(stdout) as string[];
  expect(answers).toHaveLength(1);
  expect(last).toContain(answers[0]);
  expect((await episode.step(last)).finished).toBe(true);
  episode.close();
});
