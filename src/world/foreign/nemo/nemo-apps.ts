/**
 * A resources server of NeMo Gym as an app: a row of its data begins a session, every tool of the row is an API, and the
 * server's own `/verify` judges the calls, which it gets as the items of a Responses answer.
 */
import { BowlineError, hash32 } from "../../../core/index.ts";
import type { JsonSchema } from "../../api/index.ts";
import type {
  AnsweredForeignCall,
  ForeignApi,
  ForeignApps,
  ForeignCall,
  ForeignConnection,
  ForeignEnd,
  ForeignPlace,
  ForeignReply,
  ForeignStart,
  ForeignVerdict,
} from "../define.ts";
import { requireReward, requireSession, requireUrl, sendJson, toReply } from "../http-json.ts";
import { nameTools } from "../identifiers.ts";

/** A function that the row's model may call, in the form of OpenAI's Responses. */
export interface NemoTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonSchema;
}

/** A row of the server's data, such as a line of its `example.jsonl`. */
export interface NemoRow {
  readonly responses_create_params: { readonly tools?: readonly NemoTool[] };
  readonly [field: string]: unknown;
}

/** A resources server, and the tools of its rows. */
export interface NemoSource {
  /** The address of the resources server. */
  readonly url: string;
  /** The name of the app. Default: `gym`. */
  readonly name?: string;
  readonly summary?: string;
  /** The tools that agents may call: those of a row. */
  readonly tools: readonly NemoTool[];
  /**
   * Statuses by which the server says that it has lost the session, such as 400 where a tool's own errors have status
   * 200. The episode's calls are then made again on another connection.
   */
  readonly lostStatuses?: readonly number[];
}

/** Makes an app of a resources server. The `data` of every task is its row. */
export function nemoApps(source: NemoSource): ForeignApps {
  const { name = "gym", summary = `The resources server ${source.url}.`, tools } = source;
  const { lostStatuses = [] } = source;
  const url = requireUrl(source.url, ["http:", "https:"]);
  const named = nameTools(tools);
  return {
    describe: async () => [{ name, summary, apis: describeTools(named) }],
    connect: async (place) => new NemoConnection({ url, tools: named, lostStatuses, place }),
  };
}

interface NemoConnectionParts {
  readonly url: string;
  readonly tools: ReadonlyMap<string, NemoTool>;
  readonly lostStatuses: readonly number[];
  readonly place: ForeignPlace;
}

class NemoConnection implements ForeignConnection {
  readonly #parts: NemoConnectionParts;
  #row: NemoRow | undefined;
  #cookies = new Map<string, string>();

  constructor(parts: NemoConnectionParts) {
    this.#parts = parts;
  }

  /** Begins a session, of which the server's cookie is the name. The empty state has none. */
  async begin({ data, task }: ForeignStart): Promise<void> {
    this.#cookies = new Map();
    this.#row = undefined;
    if (!task) return;
    if (typeof data !== "object" || data === null || !("responses_create_params" in data)) {
      throw new BowlineError(
        "world",
        `${task.id}: expected data to be a row with responses_create_params, got ${JSON.stringify(data)?.slice(0, 200)}`,
      );
    }
    this.#row = data as NemoRow;
    await this.#post("/seed_session", this.#row);
  }

  async call({ api, args }: ForeignCall): Promise<ForeignReply> {
    const tool = this.#parts.tools.get(api);
    if (!tool) throw new BowlineError("world", `there is no tool ${api}`);
    const answer = await this.#send(`/${encodeURIComponent(tool.name)}`, args);
    const reply = toReply(answer);
    return reply.ok ? { ok: true, value: readOutput(reply.value) } : reply;
  }

  async evaluate(end: Omit<ForeignEnd, "verdict">): Promise<ForeignVerdict | undefined> {
    if (!this.#row) return undefined;
    const response = writeResponse(end, this.#parts.tools, this.#row);
    const verdict = Object(await this.#post("/verify", { ...this.#row, response }));
    const cure = "only servers whose reward has this range can judge";
    const reward = requireReward(verdict.reward, `${this.#parts.url}/verify`, cure);
    return {
      checks: [{ name: "the server's verdict", label: "progress", passed: reward === 1 }],
      reward,
    };
  }

  async close(): Promise<void> {}

  async #post(path: string, body: object): Promise<unknown> {
    const reply = toReply(await this.#send(path, body));
    if (reply.ok) return reply.value;
    throw new BowlineError("world", `${this.#parts.url}${path}: ${reply.status} ${reply.message}`);
  }

  async #send(path: string, body: unknown) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = cookie === "" ? {} : { cookie };
    const { url, place, lostStatuses } = this.#parts;
    const request = { method: "POST", url: url + path, headers, body };
    const answer = requireSession(await sendJson({ ...request, signal: place.signal }), {
      ...{ lostStatuses, where: url + path },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined) this.#cookies.set(name.trim(), value!);
    }
    return answer;
  }
}

/** The value of a tool: servers wrap it into `output`. */
function readOutput(value: unknown): unknown {
  const isWrapped = typeof value === "object" && value !== null && "output" in value;
  return isWrapped ? value.output : value;
}

/** Writes the episode as the answer of a model: each call with its output, and at last the text that the agent gave. */
function writeResponse(
  { calls, finish, task }: Omit<ForeignEnd, "verdict">,
  tools: ReadonlyMap<string, NemoTool>,
  { responses_create_params }: NemoRow,
): object {
  const items = calls.flatMap((call, i) => writeCall(call, `call_${i}`, tools));
  const text = finish?.answer === undefined ? "" : String(finish.answer);
  const message = {
    ...{ id: "message", type: "message", role: "assistant", status: "completed" },
    content: [{ type: "output_text", text, annotations: [] }],
  };
  return {
    ...{ id: `resp_${hash32(task.id, calls.length)}`, object: "response", created_at: 0 },
    ...{ model: "bowline", status: "completed", parallel_tool_calls: false, tool_choice: "auto" },
    tools: responses_create_params.tools ?? [],
    output: [...items, message],
  };
}

function writeCall(
  { api, args, reply }: AnsweredForeignCall,
  call_id: string,
  tools: ReadonlyMap<string, NemoTool>,
): object[] {
  const name = tools.get(api)?.name ?? api;
  const value = reply.ok ? reply.value : reply.message;
  const output = typeof value === "string" ? value : JSON.stringify(value);
  return [
    {
      ...{ id: `item_${call_id}`, type: "function_call", call_id, name, status: "completed" },
      arguments: JSON.stringify(args),
    },
    { type: "function_call_output", call_id, output },
  ];
}

const describeTools = (tools: ReadonlyMap<string, NemoTool>) =>
  Object.fromEntries(
    [...tools].map(([api, { name, description, parameters }]): [string, ForeignApi] => [
      api,
      {
        summary: (description ?? `The tool ${name}.`).replace(/\s+/g, " ").trim(),
        params: parameters ?? { type: "object", properties: {} },
      },
    ]),
  );
