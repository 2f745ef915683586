/**
 * The preset for tau2-bench: `tau2 run` plays one task. The agent's calls go to the model that learns, and those of the
 * simulated user to another model.
 */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { computed, defineFormat, type FormatTable, formatSchema } from "../../../core/index.ts";
import type { RunAgent } from "../../agent/index.ts";
import {
  createPresetAgent,
  type Preset,
  type PresetEpisode,
  type PresetOptions,
  programFields,
  readJsonFile,
  readTask,
  requireVariable,
} from "./preset.ts";

/** The options of tau2-bench. */
export interface Tau2Options extends PresetOptions {
  /** The domain, such as "airline". */
  readonly domain: string;
  /** The model of the simulated user, as litellm names it, such as "openai/gpt-5". */
  readonly userModel: string;
  /** The address of the user's model; default: its provider's. */
  readonly userBaseURL?: string | undefined;
  /** The environment variable with the key of the user's model. Bowline sets OPENAI_API_KEY, so it has another name. */
  readonly userKeyFrom: string;
  /** The data folder of tau2-bench, where it writes its results. */
  readonly data: string;
}

/** A task of a domain. */
export interface Tau2Task {
  readonly id: string;
}

/** Makes an agent that plays a task of tau2-bench. Throws a `config` error that names a wrong option. */
export function tau2<T = Tau2Task>(options: Tau2Options): RunAgent<T> {
  return createPresetAgent("tau2", optionsSchema, options);
}

const optionsSchema = z.strictObject({
  domain: z.string().min(1),
  userModel: z.string().min(1),
  userBaseURL: z.string().min(1).optional(),
  userKeyFrom: z.string().min(1),
  data: z.string().min(1),
  ...programFields,
});

const unknown = "named" as const;
const rewardFormat = defineFormat({
  name: "tau2-bench: reward_info",
  unknown,
  fields: { reward: computed(z.number(), "the reward") },
});
const simulationFormat = defineFormat({
  name: "tau2-bench: a simulation",
  unknown,
  fields: {
    reward_info: computed(formatSchema(rewardFormat).nullish(), "the reward"),
    termination_reason: computed(z.string().nullish(), "why the conversation ended"),
  },
});
const resultsFormat = defineFormat({
  name: "tau2-bench: the file of results",
  unknown,
  fields: { simulations: computed(z.array(formatSchema(simulationFormat)), "one") },
});
export const TAU2_FORMATS: readonly FormatTable[] = [resultsFormat, simulationFormat, rewardFormat];

/** Ends of a conversation that say nothing about the policy. */
const FAILURES = ["infrastructure_error", "unexpected_error"];

/** The results of episodes that run at the same time have names of their own. */
function resultName(episode: PresetEpisode): string {
  return `bowline-${requireVariable(episode, "OPENAI_API_KEY").slice(-16)}`.replaceAll(
    /[^\w-]/g,
    "_",
  );
}

export const tau2Preset: Preset<z.output<typeof optionsSchema>> = {
  options: optionsSchema,
  createProgram(given, episode) {
    const { id } = readTask(
      episode.task,
      z.strictObject({ id: z.string() }),
      'a task such as {"id": "3"}',
    );
    const userKey = requireVariable(episode, given.userKeyFrom);
    const agent = {
      api_base: requireVariable(episode, "OPENAI_BASE_URL"),
      api_key: requireVariable(episode, "OPENAI_API_KEY"),
      num_retries: 0,
    };
    const user = { api_key: userKey, ...(given.userBaseURL && { api_base: given.userBaseURL }) };
    return {
      command: [
        ...[given.program ?? "tau2", "run", "--domain", given.domain, "--task-ids", id],
        ...["--num-trials", "1", "--max-concurrency", "1", "--save-to", resultName(episode)],
        ...["--agent-llm", requireVariable(episode, "MODEL")],
        ...["--agent-llm-args", JSON.stringify(agent)],
        ...["--user-llm", given.userModel, "--user-llm-args", JSON.stringify(user)],
        ...(given.arguments ?? []),
      ],
      env: { TAU2_DATA_DIR: given.data },
    };
  },
  readResult(given, episode) {
    const file = join(given.data, "simulations", resultName(episode));
    const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
    const path = isFolder ? join(file, "results.json") : `${file}.json`;
    try {
      const { simulations } = readJsonFile(path, formatSchema(resultsFormat));
      const [simulation] = simulations;
      if (simulations.length !== 1 || simulation === undefined) {
        throw new Error(`${path}: expected one simulation, got ${simulations.length}`);
      }
      const { reward_info: info, termination_reason: end } = simulation;
      if (!info || FAILURES.includes(end ?? "")) {
        throw new Error(`the conversation ended with ${end ?? "no reason"} and has no reward`);
      }
      return { reward: info.reward };
    } finally {
      rmSync(isFolder ? file : path, { recursive: true, force: true });
    }
  },
};
