/**
 * An environment behind OpenEnv's socket as an app. An environment with tools has one API for each tool; any other has
 * the API `step`, whose arguments are the fields of its action. The environment's own rewards become the reward.
 */
import type { JsonSchema } from "../../api/index.ts";
import type {
  ForeignApi,
  ForeignApps,
  ForeignCall,
  ForeignConnection,
  ForeignReply,
  ForeignStart,
  ForeignVerdict,
} from "../define.ts";
import { cutError, requireReward, requireUrl, sendJson } from "../http-json.ts";
import { nameTools } from "../identifiers.ts";
import { OpenEnvClient, type OpenEnvObservation, OpenEnvRefusal } from "./openenv-client.ts";

/** An environment and how its tasks and rewards are read. */
export interface OpenEnvSource {
  /** The address of the server, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  /** The name of the app. Default: `env`. */
  readonly name?: string;
  readonly summary?: string;
  /**
   * The fields of the message `reset` for a start. Default: the task's `data`, or the seed where the task has none.
   */
  readonly reset?: (start: ForeignStart) => Readonly<Record<string, unknown>>;
  /** The reward in [0, 1] from the rewards of all steps. Default: their sum. */
  readonly reward?: (rewards: readonly number[]) => number;
}

/** The API that shows what the environment answered last, so that an agent can see its start. */
const OBSERVE = "observation";
const STEP = "step";

/** Makes an app of an environment that speaks OpenEnv. */
export function openenvApps(source: OpenEnvSource): ForeignApps {
  const { name = "env", summary = `The environment ${source.url}.` } = source;
  const url = requireUrl(source.url, ["http:", "https:"]);
  const socketUrl = `${url.replace(/^http/, "ws")}/ws`;
  /** The environment's own name of each tool; undefined for an environment without tools. */
  let tools: ReadonlyMap<string, string> | undefined;
  return {
    describe: async ({ signal }) => {
      const client = await OpenEnvClient.open(socketUrl, signal);
      try {
        const listed = await listTools(client);
        tools = listed && new Map([...listed].map(([api, tool]) => [api, tool.name]));
        const apis = listed ? describeTools(listed) : { [STEP]: await describeStep(url, signal) };
        return [{ name, summary, apis: { ...apis, [OBSERVE]: OBSERVE_API } }];
      } finally {
        client.close();
      }
    },
    connect: async ({ signal }) =>
      new OpenEnvConnection(await OpenEnvClient.open(socketUrl, signal), source, tools),
  };
}

class OpenEnvConnection implements ForeignConnection {
  readonly #client: OpenEnvClient;
  readonly #source: OpenEnvSource;
  readonly #tools: ReadonlyMap<string, string> | undefined;
  #last: OpenEnvObservation | undefined;
  #rewards: number[] = [];

  constructor(
    client: OpenEnvClient,
    source: OpenEnvSource,
    tools: ReadonlyMap<string, string> | undefined,
  ) {
    this.#client = client;
    this.#source = source;
    this.#tools = tools;
  }

  async begin(start: ForeignStart): Promise<void> {
    const { reset = chooseTask } = this.#source;
    this.#rewards = [];
    this.#last = await this.#client.reset(reset(start));
  }

  async call({ api, args }: ForeignCall): Promise<ForeignReply> {
    if (api === OBSERVE) return { ok: true, value: this.#last?.observation ?? null };
    if (this.#last?.done) return { ok: false, status: 409, message: "the episode is over" };
    const tool_name = this.#tools?.get(api);
    const action = this.#tools ? { type: "call_tool", tool_name, arguments: args } : args;
    try {
      this.#last = await this.#client.step(action);
    } catch (error) {
      if (!(error instanceof OpenEnvRefusal)) throw error;
      return { ok: false, status: 422, message: cutError(error.message) };
    }
    const { observation, reward, done } = this.#last;
    if (reward !== null) this.#rewards.push(reward);
    if (this.#tools) return readToolResult(observation);
    return { ok: true, value: { observation, reward, done } };
  }

  async evaluate(): Promise<ForeignVerdict> {
    const { reward = sum } = this.#source;
    const cure = "map the rewards of its steps with `reward`";
    const earned = requireReward(reward(this.#rewards), this.#source.url, cure);
    const isRight = earned === 1;
    return {
      checks: [{ name: "the environment's reward is 1", label: "progress", passed: isRight }],
      reward: earned,
    };
  }

  async close(): Promise<void> {
    this.#client.close();
  }
}

const sum = (rewards: readonly number[]) => rewards.reduce((total, reward) => total + reward, 0);

function chooseTask({ data, seed, task }: ForeignStart): Readonly<Record<string, unknown>> {
  if (typeof data === "object" && data !== null) return data as Readonly<Record<string, unknown>>;
  return task ? { seed } : {};
}

/** The result of a tool: its value, or its error as the environment describes it. */
function readToolResult({ result, error }: OpenEnvObservation["observation"]): ForeignReply {
  if (error === null || error === undefined) return { ok: true, value: result ?? null };
  const { message, error_type } = Object(error) as Record<string, unknown>;
  const text = [message, error_type, error].find((one) => typeof one === "string");
  return { ok: false, status: 422, message: cutError(String(text ?? JSON.stringify(error))) };
}

interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema?: JsonSchema;
}

/** Lists the tools by the names of their APIs; undefined if the environment has none. */
async function listTools(
  client: OpenEnvClient,
): Promise<ReadonlyMap<string, ListedTool> | undefined> {
  await client.reset({});
  let listed: unknown;
  try {
    listed = (await client.step({ type: "list_tools" })).observation["tools"];
  } catch (error) {
    if (!(error instanceof OpenEnvRefusal)) throw error;
  }
  if (!Array.isArray(listed) || listed.length === 0) return undefined;
  return nameTools(listed as ListedTool[], { taken: [OBSERVE] });
}

const describeTools = (tools: ReadonlyMap<string, ListedTool>) =>
  Object.fromEntries(
    [...tools].map(([api, { name, description, input_schema }]): [string, ForeignApi] => [
      api,
      {
        summary: oneLine(description ?? `The tool ${name}.`),
        params: input_schema ?? NO_ARGUMENTS,
      },
    ]),
  );

const NO_ARGUMENTS: JsonSchema = { type: "object", properties: {} };
const OBSERVE_API: ForeignApi = {
  summary: "Show what the environment answered last; before the first step, its start.",
  params: NO_ARGUMENTS,
  readOnly: true,
};

/** Describes the action of an environment without tools, as `GET /schema` states it. */
async function describeStep(url: string, signal: AbortSignal): Promise<ForeignApi> {
  const { value } = await sendJson({ method: "GET", url: `${url}/schema`, signal });
  const { action } = Object(value) as {
    readonly action?: { properties?: Record<string, unknown> };
  };
  const { metadata: _, ...properties } = action?.properties ?? {};
  const params = { ...(action as object), type: "object", properties } as JsonSchema;
  return { summary: "Act, and see what the environment answers.", params };
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
