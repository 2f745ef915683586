/**
 * The preset for environments of verifiers 0.4: `vf-eval` plays one episode of one task. It ends with exit code 0 also
 * when the episode failed, so its record decides.
 */
import { join } from "node:path";
import { z } from "zod";
import { computed, defineFormat, type FormatTable, formatSchema } from "../../../core/index.ts";
import type { RunAgent } from "../../agent/index.ts";
import {
  createPresetAgent,
  type Preset,
  type PresetOptions,
  parseResult,
  programFields,
  readTask,
  readText,
  requireVariable,
} from "./preset.ts";

/** The options of an environment of verifiers. */
export interface VerifiersOptions extends PresetOptions {
  /** The installed taskset, such as "gsm8k". */
  readonly taskset: string;
  /** The harness that plays the tasks; default "null", a conversation with the tools of the task. */
  readonly harness?: string | undefined;
  /** Where the harness runs, such as "docker"; default "subprocess". */
  readonly runtime?: string | undefined;
}

/** A task of a taskset, by its place or by its id. */
export type VerifiersTask = { readonly idx: number } | { readonly id: string };

/**
 * Makes an agent that plays a task of verifiers by `vf-eval`, a process for each episode. The reward is the sum of the
 * task's weighted rewards, which must be from 0 to 1. Throws a `config` error that names a wrong option.
 */
export function verifiers<T = VerifiersTask>(options: VerifiersOptions): RunAgent<T> {
  return createPresetAgent("verifiers", optionsSchema, options);
}

const optionsSchema = z.strictObject({
  taskset: z.string().min(1),
  harness: z.string().min(1).default("null"),
  runtime: z.string().min(1).default("subprocess"),
  ...programFields,
});

const unknown = "named" as const;
const rewardFormat = defineFormat({
  name: "verifiers: a reward of a trace",
  unknown,
  fields: {
    score: computed(z.number(), "the score"),
    weight: computed(z.number().default(1), "its weight"),
  },
});
const traceFormat = defineFormat({
  name: "verifiers: a trace",
  unknown,
  fields: {
    rewards: computed(
      z.record(z.string(), formatSchema(rewardFormat).nullable()).default({}),
      "their weighted sum is the reward",
    ),
    metrics: computed(z.record(z.string(), z.unknown()).default({}), "numbers become metrics"),
    errors: computed(z.array(z.looseObject({ message: z.string() })).default([]), "what failed"),
  },
});
const episodeFormat = defineFormat({
  name: "verifiers: a line of traces.jsonl",
  unknown,
  fields: {
    ok: computed(z.boolean(), "false: the episode failed"),
    errors: computed(z.array(z.looseObject({ message: z.string() })).default([]), "what failed"),
    traces: computed(z.array(formatSchema(traceFormat)), "the runs of the agents"),
  },
});
export const VERIFIERS_FORMATS: readonly FormatTable[] = [episodeFormat, traceFormat, rewardFormat];

const task = z.union([z.strictObject({ idx: z.int().min(0) }), z.strictObject({ id: z.string() })]);
const RUN = "episode";

export const verifiersPreset: Preset<z.output<typeof optionsSchema>> = {
  options: optionsSchema,
  createProgram(given, episode) {
    const asked = readTask(episode.task, task, 'a task such as {"idx": 0} or {"id": "t1"}');
    const select =
      "idx" in asked
        ? ["--select.include.idx", String(asked.idx)]
        : ["--select.include.ids", asked.id];
    return {
      command: [
        given.program ?? "vf-eval",
        given.taskset,
        ...["--no-push", "--no-rich", "--num-rollouts", "1", "--env.retries.max-retries", "0"],
        ...["--model", requireVariable(episode, "MODEL")],
        ...["--client.base-url", requireVariable(episode, "OPENAI_BASE_URL")],
        ...["--client.api-key-var", "OPENAI_API_KEY"],
        ...["--env.agent.harness.id", given.harness, "--env.agent.runtime.type", given.runtime],
        ...select,
        ...["--output-dir", episode.folder, "--run.name", RUN, "--run.dir", RUN],
        ...(given.arguments ?? []),
      ],
    };
  },
  readResult(_, { folder }) {
    const path = join(folder, RUN, "traces.jsonl");
    const lines = readText(path).split("\n").filter(Boolean);
    if (lines.length !== 1) throw new Error(`${path}: expected one episode, got ${lines.length}`);
    const { ok, errors, traces } = parseResult(lines[0]!, formatSchema(episodeFormat), path);
    if (!ok) {
      const [error] = [...errors, ...traces.flatMap((trace) => trace.errors)];
      throw new Error(`the episode failed: ${error?.message ?? "verifiers gives no reason"}`);
    }
    const rewards = traces.flatMap((trace) => Object.entries(trace.rewards));
    const metrics = traces.flatMap((trace) => Object.entries(trace.metrics));
    return {
      reward: rewards.reduce((sum, [, one]) => sum + (one ? one.score * one.weight : 0), 0),
      metrics: Object.fromEntries([
        ...rewards.flatMap(([name, one]) => (one ? [[name, one.score] as const] : [])),
        ...metrics.flatMap(([name, value]) =>
          typeof value === "number" ? [[name, value] as const] : [],
        ),
      ]),
    };
  },
};
