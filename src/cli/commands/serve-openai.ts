/** `bowline serve --openai`: a policy behind the dialects of OpenAI and Anthropic, for agents in use, until Ctrl-C. */
import { basename } from "node:path";
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { Gateway, GatewayEpisode, StatelessSession } from "../../server/index.ts";
import type { LoadedPolicy } from "../../train/index.ts";
import type { CommandContext } from "../command-context.ts";
import { listenForInterrupt, waitForAbort } from "../interrupt.ts";
import type { Channel } from "../terminal.ts";

export interface ServeOpenAiOptions {
  readonly openai: string;
  readonly host: string;
  readonly port: number;
  readonly key?: string;
  readonly seed?: number;
  readonly json?: boolean;
}

/** Conversations that a `previous_response_id` may name. */
const MEMORY_LIMITS = { items: 20_000, conversations: 1_000 };

const HELLO_MESSAGES = [{ role: "user", parts: [{ type: "text", text: "Hello" }] }] as const;

/** Rejects with a `config` error on a policy that is none, and a `checkpoint` error on one that cannot be talked to. */
export async function serveOpenAi(
  options: ServeOpenAiOptions,
  session: CommandContext,
): Promise<void> {
  refuseConfigFields(session);
  const { out, err } = session.terminal;
  const interrupt = listenForInterrupt(options.json ? err : out);
  const { openGateway, createStatelessSession } = await import("../../server/index.ts");
  const { loadPolicy } = await import("../../train/index.ts");
  const policy = await loadPolicy(options.openai);
  const { seed = 0, host, port, key } = options;
  const shared = createStatelessSession((turn) =>
    policy.session({ id: `serve-${turn}`, seed: (seed + turn) % 2 ** 32 }),
  );
  let gateway: Gateway | undefined;
  try {
    // A model that cannot be talked to is refused now, not when the first request comes.
    shared.countTokens({ messages: HELLO_MESSAGES });
    gateway = await openGateway({ host, port, model: basename(options.openai), live: true });
    const kept = MEMORY_LIMITS;
    const episode = gateway.open(shared, { memoryLimits: kept, ...(key !== undefined && { key }) });
    const refusal = findToolRefusal(shared);
    const facts = { ...describeServer(gateway, episode, policy), tools: refusal === undefined };
    const notes = [...notesForClients(policy), ...(refusal === undefined ? [] : [refusal])];
    out.writeLine(options.json ? JSON.stringify(facts) : formatHeading(facts, policy, notes, out));
    await waitForAbort(interrupt.signal);
    if (!options.json) out.writeLine("the server has ended");
  } finally {
    interrupt.dispose();
    shared.close();
    await gateway?.close();
    await policy.close();
  }
}

function refuseConfigFields({ fields }: CommandContext): void {
  const [name] = Object.keys(fields);
  if (name === undefined) return;
  throw new BowlineError(
    "config",
    `bowline serve --openai takes no config fields, and --${name} was given; the policy has those of its training`,
  );
}

/** What a request with tools is answered; undefined: an answer. */
function findToolRefusal(session: StatelessSession): string | undefined {
  try {
    session.countTokens({ messages: HELLO_MESSAGES, tools: [{ name: "look", parameters: {} }] });
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** By which scaffold it would act is nothing to those who talk to it. */
function notesForClients({ notes, scaffold }: LoadedPolicy): string[] {
  return notes.filter((note) => !note.startsWith(`scaffold ${scaffold} fits`));
}

function describeServer({ url }: Gateway, { key }: GatewayEpisode, { path, info }: LoadedPolicy) {
  return {
    url,
    openaiBaseURL: `${url}/v1`,
    anthropicBaseURL: url,
    key,
    model: basename(path),
    contextLength: info.contextLength,
  };
}

type ServerFacts = ReturnType<typeof describeServer>;

function formatHeading(
  facts: ServerFacts,
  { info }: LoadedPolicy,
  notes: readonly string[],
  { paint }: Channel,
): string {
  const about = `${info.parameters.toLocaleString("en")} parameters · context ${facts.contextLength}`;
  return [
    `${paint("bold", `bowline serve --openai  ${facts.model}`)}  ${paint("dim", about)}`,
    `  ${paint("cyan", facts.openaiBaseURL)}   ${paint("dim", "OpenAI: chat completions, responses")}`,
    `  ${paint("cyan", facts.anthropicBaseURL)}      ${paint("dim", "Anthropic: messages")}`,
    `  key ${facts.key}`,
    ...notes.map((note) => paint("dim", `  ${note}`)),
    "",
    "  Point a client at it:",
    `    OPENAI_BASE_URL=${facts.openaiBaseURL} OPENAI_API_KEY=${facts.key} node agent.js`,
    "",
    "  Ctrl-C ends it.",
  ].join("\n");
}
