/**
 * Writes a run directory of the toy world from scripted rollouts with real tokens. Code that reads or replays runs can
 * use it, and nothing has to be trained. Its checkpoint has no weights.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compactRenderer, compactScaffold, runTask } from "../../src/agent/index.ts";
import type { Rollout, World } from "../../src/spec/index.ts";
import { byteTokenizer } from "../../src/testing/byte-tokenizer.ts";
import { scriptedTokenPolicy } from "../../src/testing/scripted-policy.ts";
import { openRun, resolveConfig } from "../../src/train/index.ts";

/** The task of the run: move an item from one box to another. */
export const TOY_TASK = "train/3/1";

/** The configuration of the run. A token is one byte, so rows are longer than those of the smoke setting. */
export const TOY_CONFIG = resolveConfig({
  recipe: "smoke",
  overrides: {
    "model.contextLength": 2000,
    "scaffold.maxTokens": 2000,
    "scaffold.maxTurnTokens": 300,
    "scaffold.maxTurns": 6,
  },
});

/** Creates the scaffold and the renderer of the run. */
export function createToyAgent() {
  const { maxTurns, maxTurnTokens, maxTokens } = TOY_CONFIG.scaffold;
  const observation =
    "maxObservationCharacters" in TOY_CONFIG.scaffold
      ? {
          maxObservationCharacters: TOY_CONFIG.scaffold.maxObservationCharacters,
          maxObservationLines: TOY_CONFIG.scaffold.maxObservationLines,
        }
      : {};
  const scaffold = compactScaffold({ maxTurns, maxTurnTokens, maxTokens, ...observation });
  return { scaffold, renderer: compactRenderer(byteTokenizer()) };
}

/** The code that the scripted policy writes: it lists the boxes, makes a failing call, and finishes. */
export const TOY_CELLS = [
  'print(["red","blue","green","pink"].map(box => apis.shelf.list({ box }).join()).join("|"))',
  'apis.shelf.put({ item: "cup", box: "red" }); apis.shelf.move({ item: "cup", from: "blue", to: "pink" })',
  "apis.me.finishTask()",
];

/** Writes the run, whose one rollout is changed by `change` before it is stored. */
export async function writeToyRun(
  directory: string,
  world: Pick<World, "open" | "tasks">,
  change: (rollout: Rollout) => Rollout = (rollout) => rollout,
): Promise<Rollout> {
  const store = openRun(directory, TOY_CONFIG);
  const { scaffold, renderer } = createToyAgent();
  const task = world.tasks("train", 4).find(({ id }) => id === TOY_TASK)!;
  const { policy } = scriptedTokenPolicy(TOY_CELLS, renderer);
  const identity = { id: "1/0/0", index: 0, stream: 7, temperature: 1 };
  const rollout = await runTask(world, task, { policy, scaffold, renderer, ...identity });
  store.writeRollouts("train-0001", [change(rollout)]);
  const checkpoint = join(directory, "checkpoints", "final");
  mkdirSync(checkpoint, { recursive: true });
  writeFileSync(join(checkpoint, "policy.json"), "{}");
  return rollout;
}
