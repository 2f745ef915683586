/**
 * The preset for agents of NeMo Gym 0.4. The gym's servers run all the time: each episode is a POST to the agent's
 * `/run`, and the gym's model server asks a fixed address of ours, which tells the episodes apart.
 */
import { z } from "zod";
import { BowlineError, formatValue, requireKnownFields } from "../../../core/index.ts";
import type { AgentContext, AgentReward, RunAgent } from "../../agent/index.ts";
import { type EnvironmentOptions, requireEnvironmentOptions } from "../command-options.ts";
import { parseUrl } from "../endpoint.ts";
import { postJson } from "../post-json.ts";
import { readRewardAnswer } from "../read-reward.ts";
import { runWithDeadline } from "../run-with-deadline.ts";
import { trackCalls } from "../track-calls.ts";
import { KEY_FIELD, type ModelRelay, openModelRelay } from "./model-relay.ts";

/** The options of an agent of NeMo Gym. */
export interface NemoGymOptions extends EnvironmentOptions {
  /** The address of the agent server, such as "http://127.0.0.1:9002". */
  readonly agent: string;
  /**
   * The port of this machine on which the gym's model server finds the model. Start the gym with
   * `policy_base_url: http://127.0.0.1:PORT/v1`; any key and any name of a model work.
   */
  readonly modelPort: number;
}

/** A row of a data set of NeMo Gym. */
export interface NemoGymTask {
  readonly responses_create_params: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

const OPTION_NAMES = [
  "agent",
  "modelPort",
  "timeoutSeconds",
  "rewardField",
] as const satisfies readonly (keyof NemoGymOptions)[];

const rowSchema = z.looseObject({
  responses_create_params: z.looseObject({
    metadata: z.record(z.string(), z.unknown()).nullish(),
  }),
});

/**
 * Makes an agent that plays a row of a data set by an agent server of NeMo Gym. The agent must pass the `metadata` of
 * `responses_create_params` on, as `simple_agent` does. Throws a `config` error that names a wrong option.
 */
export function nemoGym<T = NemoGymTask>(options: NemoGymOptions): RunAgent<T> {
  requireKnownFields("the options of nemoGym()", options, OPTION_NAMES);
  requireEnvironmentOptions(options);
  const url = new URL("/run", parseUrl("agent", options.agent));
  const { modelPort, timeoutSeconds, rewardField = "reward" } = options;
  if (!Number.isInteger(modelPort) || modelPort < 1 || modelPort > 65_535) {
    throw new BowlineError(
      "config",
      `modelPort: expected a port from 1 to 65535, got ${formatValue(modelPort)}`,
    );
  }
  let relay: Promise<ModelRelay> | undefined;
  const calls = trackCalls(async (task: T, context: AgentContext): Promise<AgentReward> => {
    const body = createBody(task, context);
    relay ??= openModelRelay(modelPort, new URL(context.baseURL).origin);
    await relay;
    const answer = await runWithDeadline(context.signal, timeoutSeconds, (signal) =>
      postJson(url, body, signal),
    );
    return readRewardAnswer(answer, rewardField);
  });
  return Object.assign(calls.run, {
    async settled() {
      await calls.settled();
      const opened = relay;
      relay = undefined;
      await (await opened)?.close();
    },
  });
}

function createBody(task: unknown, { apiKey }: AgentContext): string {
  const parsed = rowSchema.safeParse(task);
  if (!parsed.success) {
    throw new Error(
      `the task: expected a row with responses_create_params, got ${formatValue(task)}`,
    );
  }
  const { responses_create_params: params, ...row } = parsed.data;
  const metadata = { ...params.metadata, [KEY_FIELD]: apiKey };
  return JSON.stringify({ ...row, responses_create_params: { ...params, metadata } });
}
