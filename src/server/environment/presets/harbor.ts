/** The preset for tasks of Harbor 0.26: `harbor trial start` runs an agent in the sandbox of a task's folder. */
import { join, resolve } from "node:path";
import { z } from "zod";
import { computed, defineFormat, type FormatTable, formatSchema } from "../../../core/index.ts";
import type { RunAgent } from "../../agent/index.ts";
import {
  createPresetAgent,
  type Preset,
  type PresetOptions,
  programFields,
  readJsonFile,
  readTask,
} from "./preset.ts";

/** The options of tasks of Harbor. */
export interface HarborOptions extends PresetOptions {
  /** The agent that works on the tasks, such as "terminus-2", or the import path of your own. */
  readonly agent: string;
  /** The kind of sandbox, such as "podman", or the import path of your own; default "docker". */
  readonly sandbox?: string | undefined;
  /**
   * The host name by which the sandbox reaches this machine, such as "host.docker.internal"; by default the addresses
   * stay as they are. The gateway listens on 127.0.0.1, so the sandbox must share the network of this machine, or you
   * forward that name to it.
   */
  readonly host?: string | undefined;
  /** The name of the reward in `reward.json`; by default the only one, or "reward". */
  readonly reward?: string | undefined;
}

/** The folder of a task. */
export interface HarborTask {
  readonly path: string;
}

/**
 * Makes an agent that plays a task of Harbor, a trial for each episode. The reward is what the verifier wrote. Throws a
 * `config` error that names a wrong option.
 */
export function harbor<T = HarborTask>(options: HarborOptions): RunAgent<T> {
  return createPresetAgent("harbor", optionsSchema, options);
}

const optionsSchema = z.strictObject({
  agent: z.string().min(1),
  sandbox: z.string().min(1).default("docker"),
  host: z.string().min(1).optional(),
  reward: z.string().min(1).optional(),
  ...programFields,
});

const unknown = "named" as const;
const exceptionFormat = defineFormat({
  name: "Harbor: exception_info",
  unknown,
  fields: {
    exception_type: computed(z.string(), "the kind of failure"),
    exception_message: computed(z.string(), "the failure"),
  },
});
const verifierFormat = defineFormat({
  name: "Harbor: verifier_result",
  unknown,
  fields: {
    rewards: computed(z.record(z.string(), z.number()).nullish(), "the rewards by name"),
  },
});
const trialFormat = defineFormat({
  name: "Harbor: result.json of a trial",
  unknown,
  fields: {
    verifier_result: computed(formatSchema(verifierFormat).nullish(), "the rewards"),
    exception_info: computed(formatSchema(exceptionFormat).nullish(), "present: the trial failed"),
  },
});
export const HARBOR_FORMATS: readonly FormatTable[] = [
  trialFormat,
  verifierFormat,
  exceptionFormat,
];

const TRIAL = "episode";
/** The variables that an agent gets inside of the sandbox. */
const PASSED = [
  ...["OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_KEY"],
  ...["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  ...["GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY"],
];

export const harborPreset: Preset<z.output<typeof optionsSchema>> = {
  options: optionsSchema,
  createProgram(given, { task, folder, variables }) {
    const { path } = readTask(
      task,
      z.strictObject({ path: z.string().min(1) }),
      'a task such as {"path": "tasks/hello"}',
    );
    const reach = (value: string) =>
      given.host === undefined ? value : value.replace("//127.0.0.1:", `//${given.host}:`);
    const passed = PASSED.flatMap((name) => {
      const value = variables[name];
      return value === undefined ? [] : ["--agent-env", `${name}=${reach(value)}`];
    });
    return {
      command: [
        ...[given.program ?? "harbor", "trial", "start", "--path", resolve(path)],
        ...["--agent", given.agent, "--model", variables["MODEL"] ?? "openai/bowline"],
        ...["--env", given.sandbox, "--trials-dir", folder, "--trial-name", TRIAL],
        ...passed,
        ...(given.arguments ?? []),
      ],
      // Agents that run outside of the sandbox read the variables of the process.
      env: { HARBOR_TELEMETRY: "0" },
    };
  },
  readResult(given, { folder }) {
    const path = join(folder, TRIAL, "result.json");
    const trial = readJsonFile(path, formatSchema(trialFormat));
    const { exception_info: failure, verifier_result: result } = trial;
    if (failure) {
      throw new Error(`the trial failed: ${failure.exception_type}: ${failure.exception_message}`);
    }
    const rewards = result?.rewards ?? {};
    const names = Object.keys(rewards);
    const name = given.reward ?? (names.length === 1 ? names[0]! : "reward");
    const reward = rewards[name];
    if (reward === undefined) {
      throw new Error(`${path}: expected the reward ${name}, got ${names.join(", ") || "none"}`);
    }
    return { reward, metrics: rewards };
  },
};
