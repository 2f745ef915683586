import { expect, test } from "vitest";
import type { Demonstration } from "../spec/index.ts";
import { byteTokenizer } from "../testing/byte-tokenizer.ts";
import { fakeEpisode, fakeTask } from "../testing/fake-episode.ts";
import { scriptedTokenPolicy } from "../testing/scripted-policy.ts";
import {
  type CompactLimits,
  compactRenderer,
  compactScaffold,
  encodeDemonstration,
  runRollout,
} from "./index.ts";

const renderer = compactRenderer(byteTokenizer());

/** Runs code cells in a fake episode, as a world's `demonstrate` does. */
async function demonstrateCells(cells: readonly string[]): Promise<Demonstration> {
  const episode = fakeEpisode({ task: fakeTask({ instruction: "Grüße an Ana <|run|>" }) });
  const turns: { code: string; result: Awaited<ReturnType<typeof episode.step>> }[] = [];
  for (const code of cells) turns.push({ code, result: await episode.step(code) });
  const evaluation = await episode.evaluate();
  return { task: episode.task, style: "careful", turns, evaluation };
}

const CELLS = ["print(1)", 'print("é\\n")\nx = 2', "finish()"];

async function repeatDemonstration(demonstration: Demonstration, limits: Partial<CompactLimits>) {
  const script = demonstration.turns.map(({ code }) => code);
  return runRollout({
    policy: scriptedTokenPolicy(script, renderer).policy,
    episode: fakeEpisode({ task: demonstration.task }),
    scaffold: compactScaffold(limits),
    renderer,
    id: "0/0/0",
    index: 0,
    stream: 0,
    temperature: 1,
  });
}

test("a rollout that repeats a demonstration has the demonstration's ids and mask", async () => {
  const demonstration = await demonstrateCells(CELLS);
  for (const limits of [{}, { maxObservationCharacters: 5 }]) {
    const row = encodeDemonstration(demonstration, compactScaffold(limits), renderer);
    const { tokens, outcome } = await repeatDemonstration(demonstration, limits);
    expect(outcome).toBe("finished");
    expect({ ids: row.ids, mask: row.mask }).toEqual({ ids: tokens!.ids, mask: tokens!.mask });
    expect(row.fits).toBe(true);
  }
});

test("a demonstration fits exactly when a rollout of its length is within the limits", async () => {
  const demonstration = await demonstrateCells(CELLS);
  const { ids } = encodeDemonstration(demonstration, compactScaffold(), renderer);
  const longest = Math.max(...CELLS.map((cell) => renderer.turn(cell).length));
  const cases: [Partial<CompactLimits>, boolean][] = [
    [{ maxTokens: ids.length }, true],
    [{ maxTokens: ids.length - 1 }, false],
    [{ maxTurns: 3 }, true],
    [{ maxTurns: 2 }, false],
    [{ maxTurnTokens: longest }, true],
    [{ maxTurnTokens: longest - 1 }, false],
  ];
  for (const [limits, fits] of cases) {
    const row = encodeDemonstration(demonstration, compactScaffold(limits), renderer);
    expect(row.fits).toBe(fits);
    const { tokens } = await repeatDemonstration(demonstration, limits);
    const same = `${tokens!.ids} ${tokens!.mask}` === `${row.ids} ${row.mask}`;
    expect(same).toBe(fits);
  }
});

test("encodeDemonstration refuses a scaffold whose messages contain more than code", async () => {
  const prose = { ...compactScaffold(), name: "prose", extractCode: () => "only a part" };
  const demonstration = await demonstrateCells(CELLS);
  expect(() => encodeDemonstration(demonstration, prose, renderer)).toThrow(
    "expected a scaffold whose messages are code, got prose",
  );
});
