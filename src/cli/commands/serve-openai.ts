/** `bowline serve --openai` serves a policy to agents through the APIs of OpenAI, Anthropic and Google, until Ctrl-C. */
import { basename } from "node:path";
import { BowlineError, errorMessage, toVisibleJson } from "../../core/index.ts";
import type { Gateway, StatelessSession } from "../../server/index.ts";
import type { LoadedPolicy } from "../../train/index.ts";
import type { CommandContext } from "../command-context.ts";
import { listenForInterrupt, waitForAbort } from "../interrupt.ts";
import { resolveBaseField } from "../shared-options.ts";
import type { Channel } from "../terminal.ts";

export interface ServeOpenAiOptions {
  readonly openai: string;
  readonly host: string;
  readonly port: number;
  readonly key?: string;
  /** The environment variable from which `key` was read. The server then prints this name, and never the key. */
  readonly keyFrom?: string;
  readonly seed?: number;
  readonly json?: boolean;
}

/** The number of items and of conversations that are kept for requests with a `previous_response_id`. */
const MEMORY_LIMITS = { items: 20_000, conversations: 1_000 };

const HELLO_MESSAGES = [{ role: "user", parts: [{ type: "text", text: "Hello" }] }] as const;

/** Serves a policy until Ctrl-C. Throws a `checkpoint` error for a policy that cannot hold conversations. */
export async function serveOpenAi(
  options: ServeOpenAiOptions,
  session: CommandContext,
): Promise<void> {
  const { base, context } = resolveBaseField(session);
  refuseConfigFields(context);
  const { out, err } = session.terminal;
  const { openGateway, createStatelessSession } = await import("../../server/index.ts");
  const { loadPolicy } = await import("../../train/index.ts");
  const policy = await loadPolicy(options.openai, base);
  const { seed = 0, host, port, key } = options;
  const shared = createStatelessSession((turn) =>
    policy.session({ id: `serve-${turn}`, seed: (seed + turn) % 2 ** 32 }),
  );
  const interrupt = listenForInterrupt(options.json ? err : out);
  let gateway: Gateway | undefined;
  try {
    // A policy that cannot hold conversations is refused now and not only at the first request.
    shared.countTokens({ messages: HELLO_MESSAGES });
    gateway = await openGateway({ host, port, model: basename(options.openai), live: true });
    const memory = { memoryLimits: MEMORY_LIMITS };
    const episode = gateway.open(shared, { ...memory, ...(key !== undefined && { key }) });
    const refusal = explainToolRefusal(shared);
    const ownKey =
      options.keyFrom === undefined ? { key: episode.key } : { keyFrom: options.keyFrom };
    const facts = { ...describeServer(gateway, policy), ...ownKey, tools: refusal === undefined };
    const notes = [...notesForClients(policy), ...(refusal === undefined ? [] : [refusal])];
    out.writeLine(options.json ? toVisibleJson(facts) : formatHeading(facts, policy, notes, out));
    await waitForAbort(interrupt.signal);
    if (!options.json) out.writeLine("the server has stopped");
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
    `bowline serve --openai takes no config fields but engine.model, the base of an adapter, and --${name} was given; the policy keeps those of its training`,
  );
}

/** Returns the error that a request with tools would get, or undefined when the policy supports tools. */
function explainToolRefusal(session: StatelessSession): string | undefined {
  try {
    session.countTokens({ messages: HELLO_MESSAGES, tools: [{ name: "look", parameters: {} }] });
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Returns the policy's notes except the one about its scaffold, which does not concern clients. */
function notesForClients({ notes, scaffold }: LoadedPolicy): string[] {
  return notes.filter((note) => !note.startsWith(`using scaffold ${scaffold},`));
}

function describeServer({ url }: Gateway, { path, info }: LoadedPolicy) {
  return {
    url,
    openaiBaseURL: `${url}/v1`,
    anthropicBaseURL: url,
    googleBaseURL: url,
    model: basename(path),
    contextLength: info.contextLength,
  };
}

type ServerFacts = ReturnType<typeof describeServer> & {
  readonly key?: string;
  readonly keyFrom?: string;
};

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
    `  ${paint("cyan", facts.googleBaseURL)}      ${paint("dim", "Google: generateContent")}`,
    `  key ${facts.key ?? `in the environment variable ${facts.keyFrom}`}`,
    ...notes.map((note) => paint("dim", `  ${note}`)),
    "",
    "  Point a client at it:",
    `    OPENAI_BASE_URL=${facts.openaiBaseURL} OPENAI_API_KEY=${facts.key ?? `"$${facts.keyFrom}"`} node agent.js`,
    "",
    "  Press Ctrl-C to stop the server.",
  ].join("\n");
}
