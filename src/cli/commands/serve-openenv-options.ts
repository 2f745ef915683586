/** The options of `bowline serve --openenv`. */
import { type Command, Option } from "commander";
import type { RewardName } from "../../algo/index.ts";
import { SPLITS, type Split } from "../../spec/index.ts";
import { choiceParser, integerParser } from "../shared-options.ts";

export interface OpenEnvOptions {
  readonly openenv?: string;
  readonly splits?: readonly Split[];
  readonly scenarios?: number;
  readonly solutions?: boolean;
  readonly episodes: number;
  readonly maxSteps: number;
  readonly idleMinutes: number;
  readonly reward: RewardName;
  readonly workers: number;
}

/** The options that only `--openenv` has, by the names of their values. */
export const OPENENV_OPTIONS = [
  "splits",
  "scenarios",
  "solutions",
  "episodes",
  "maxSteps",
  "idleMinutes",
  "reward",
  "workers",
] as const satisfies (keyof OpenEnvOptions)[];

export function addOpenEnvOptions(command: Command): void {
  command
    .addOption(
      new Option(
        "--openenv <world>",
        "world to serve to trainers: a built-in world, or the path of a world module",
      ).conflicts(["openai", "checkpoint", "state"]),
    )
    .option(
      "--splits <splits>",
      "with --openenv: splits that clients may open, such as train,dev,test-normal (default: train and dev)",
      parseSplits,
    )
    .option(
      "--scenarios <count>",
      "with --openenv: number of scenarios of each split, three tasks each (default: as many as the world lists)",
      integerParser(1, 100_000),
    )
    .option(
      "--solutions",
      "with --openenv: let remote worlds ask for the solutions of tasks, which a warm start imitates",
    )
    .option(
      "--episodes <count>",
      "with --openenv: number of clients at the same time, each with at most one episode",
      integerParser(1, 4000),
      64,
    )
    .option(
      "--max-steps <count>",
      "with --openenv: number of steps after which an episode is over",
      integerParser(1),
      100,
    )
    .option(
      "--idle-minutes <minutes>",
      "with --openenv: a client that is silent for so long loses its episode",
      integerParser(1, 10_000),
      30,
    )
    .addOption(
      new Option("--reward <reward>", "with --openenv: how checks become the reward")
        .choices(["fraction", "strict", "progress"])
        .default("fraction"),
    )
    .option(
      "--workers <count>",
      "with --openenv: number of threads that run episodes",
      integerParser(1, 64),
      1,
    );
}

/** Reads names of splits such as `train,dev`. */
function parseSplits(text: string): readonly Split[] {
  const parse = choiceParser(SPLITS);
  return text.split(",").map((part) => parse(part.trim()));
}
