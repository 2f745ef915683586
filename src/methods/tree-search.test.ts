import { expect, test } from "vitest";
import { compactRenderer, compactScaffold } from "../agent/index.ts";
import type { Sample, TaskInfo } from "../spec/index.ts";
import { byteTokenizer } from "../testing/byte-tokenizer.ts";
import { fakeWorld } from "../testing/fake-world.ts";
import type { RolloutPlan } from "./rollouts/run-assignments.ts";
import { searchTree } from "./tree-search.ts";

const renderer = compactRenderer(byteTokenizer());
const scaffold = compactScaffold({ maxTurns: 3, maxTurnTokens: 8, maxTokens: 200 });

/**
 * Searches a tree with a scripted policy, which gives the script's n-th answer to the n-th random stream. Counts opened
 * and forked episodes.
 */
function searchScripted(script: readonly string[], rollouts: number, exploration = 1) {
  const world = fakeWorld();
  const task = world.tasks("train", 1)[0] as TaskInfo;
  let live = 0;
  let forks = 0;
  const countEpisode = async (episode: Awaited<ReturnType<typeof world.open>>) => {
    live += 1;
    let open = true;
    const self: typeof episode = {
      ...episode,
      fork: async () => {
        forks += 1;
        return countEpisode(await episode.fork());
      },
      close: async () => {
        live -= Number(open);
        open = false;
        await episode.close();
      },
    };
    return self;
  };
  const streams: number[] = [];
  const plan: RolloutPlan & { policy: { kind: "tokens" } } = {
    world: { open: async (id) => countEpisode(await world.open(id)) },
    agent: { scaffold, renderer },
    policy: {
      kind: "tokens",
      release: () => {},
      sample: async ({ stream }): Promise<Sample> => {
        streams.push(stream);
        const tokens = renderer.turn(script[stream % script.length]!);
        const logprobs = tokens.map(() => -1);
        return { tokens, logprobs, stop: "stop", policyVersion: 3 };
      },
    },
    temperature: 1,
    maxTurns: 3,
    episodes: 10,
  };
  const tree = searchTree(plan, {
    task,
    id: "1/0",
    rollouts,
    exploration,
    minimumGap: 0.2,
    reward: { reward: "fraction", unfinished: "fail" },
    stream: (n) => n,
  });
  return tree.then((result) => ({ ...result, live, forks, streams }));
}

test("two candidates that were both played to the end form a pair of turns, and a turn that ended its episode is not tried again", async () => {
  const { rollouts, pairs, live } = await searchScripted(["no", "yes"], 6);
  expect(rollouts.map(({ turns }) => turns.map(({ code }) => code))).toEqual([["no"], ["yes"]]);
  expect(rollouts.map(({ id, index }) => [id, index])).toEqual([
    ["1/0/0", 0],
    ["1/0/1", 1],
  ]);
  expect(pairs).toHaveLength(1);
  const [{ chosen, rejected } = pairs[0]!] = pairs;
  const textOfRow = (row: typeof chosen) =>
    renderer.text(row.at.map((i) => row.tokens[i]!).slice(0, -1));
  expect([textOfRow(chosen), textOfRow(rejected)]).toEqual(["yes", "no"]);
  expect(chosen.tokens.slice(0, chosen.at[0])).toEqual(rejected.tokens.slice(0, rejected.at[0]));
  expect(chosen.turnLengths).toEqual([chosen.at.length]);
  expect(live).toBe(0);
});

test("a rollout from a node repeats the turns before it from the record, and neither samples nor runs them again", async () => {
  // Candidates 0 and 1 do not finish. Sample 2 continues candidate 0, sample 3 continues candidate 1, and samples 4 and
  // 5 are candidates one level deeper.
  const { rollouts, streams } = await searchScripted(["a", "b", "yes", "no", "yes", "no"], 4);
  const said = rollouts.map(({ turns }) => turns.map(({ code }) => code).join(" "));
  expect(said.slice(0, 2)).toEqual(["a yes", "b no"]);
  expect(said[2]).toBe("a yes");
  expect(said).toEqual(["a yes", "b no", "a yes", "a no"]);
  expect(streams).toEqual([0, 1, 2, 3, 4, 5]);
  for (const { tokens, turns } of rollouts) {
    const spans = turns.map(({ span }) => span!);
    expect(spans.every(([start, end]) => tokens!.mask.slice(start, end).every(Boolean))).toBe(true);
    expect(turns.map(({ observation }) => observation)).toEqual(["what?", "done"]);
  }
});

test("rollouts of a tree respect the turn limit, and identical candidates become one node", async () => {
  const { rollouts, pairs, live } = await searchScripted(["a"], 6);
  expect(
    rollouts.every(({ turns, outcome }) => turns.length === 3 && outcome === "turn-limit"),
  ).toBe(true);
  expect(rollouts.length).toBeLessThanOrEqual(6);
  expect(pairs).toEqual([]);
  expect(live).toBe(0);
});
