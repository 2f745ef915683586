/** INTERIM: a linear session, until the core's is merged. */
import type {
  AgentSession,
  AnswerOptions,
  ChatMessage,
  ChatPart,
  ChatTemplate,
  Policy,
  RolloutLimits,
  SessionAnswer,
  SessionCounters,
  SessionMessage,
  SessionRequest,
  ToolSpec,
  Turn,
} from "../spec/index.ts";
import type { ChatTokenizer } from "./chat-renderer.ts";
import { SessionError } from "./session/session-error.ts";

export interface InterimOptions {
  readonly policy: Extract<Policy, { kind: "tokens" }>;
  readonly template: ChatTemplate;
  readonly tokenizer: ChatTokenizer;
  readonly stopIds: readonly number[];
  readonly limits: RolloutLimits;
  readonly maxTurns: number;
  readonly id: string;
  readonly stream: number;
  readonly temperature: number;
  readonly signal?: AbortSignal | undefined;
}

export function chatMessageOf(message: SessionMessage): ChatMessage[] {
  if (message.role === "tool") {
    return message.parts.flatMap((part) =>
      part.type === "tool-result" ? [{ role: "tool", content: part.text }] : [],
    );
  }
  const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const calls = message.parts.flatMap((part) =>
    part.type === "tool-call"
      ? [
          {
            type: "function",
            function: { name: part.name, arguments: JSON.parse(part.arguments) },
          },
        ]
      : [],
  );
  return [{ role: message.role, content: text, ...(calls.length > 0 && { tool_calls: calls }) }];
}

export function toolsOf(tools: readonly ToolSpec[] | undefined) {
  return tools?.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
}

export function openInterim(options: InterimOptions) {
  const { policy, template, tokenizer, stopIds, limits } = options;
  const ids: number[] = [];
  const mask: (0 | 1)[] = [];
  const logprobs: number[] = [];
  const turns: Turn[] = [];
  let answered = 0;
  let open = false;
  let policyVersion = -1;
  let illFormedTotal = 0;
  const push = (tokens: readonly number[], m: 0 | 1, lp?: readonly number[]) => {
    tokens.forEach((token, i) => {
      ids.push(token);
      mask.push(m);
      logprobs.push(lp?.[i] ?? 0);
    });
  };
  const stub: ChatMessage[] = [
    { role: "user", content: "Q" },
    { role: "assistant", content: "A" },
  ];
  const session: AgentSession & { record(): unknown } = {
    id: options.id,
    get counters(): SessionCounters {
      return {
        answers: answered,
        retries: 0,
        roots: 1,
        branches: 0,
        edits: 0,
        illFormed: illFormedTotal,
      };
    },
    countTokens: () => 0,
    async respond(request: SessionRequest, { signal }: AnswerOptions = {}): Promise<SessionAnswer> {
      if (answered >= options.maxTurns) throw new SessionError("ceiling", "no turns left");
      const all = request.messages.flatMap(chatMessageOf);
      const tools = toolsOf(request.tools);
      let prompt: readonly number[];
      if (answered === 0) {
        prompt = tokenizer.encodeRendered(
          template.render(all, { ...(tools && { tools }), addGenerationPrompt: true }),
        );
      } else {
        const last = all.findLastIndex(({ role }) => role === "assistant");
        const before = template.render(stub);
        const after = template.render([...stub, ...all.slice(last + 1)], {
          addGenerationPrompt: true,
        });
        prompt = [
          ...(open ? [stopIds[0]!] : []),
          ...tokenizer.encodeRendered(after.slice(before.length)),
        ];
      }
      const at = ids.length + prompt.length;
      if (at >= limits.maxTokens) throw new SessionError("context", "no token fits");
      push(prompt, 0);
      const sample = await policy.sample(
        {
          tokens: [...ids],
          stream: options.stream,
          maxTokens: Math.min(limits.maxTurnTokens, limits.maxTokens - at),
          temperature: options.temperature,
          stopIds,
          cacheKey: options.id,
        },
        signal,
      );
      if (sample.stop === "cancelled") throw new Error("cancelled");
      if (answered === 0) policyVersion = sample.policyVersion;
      push(sample.tokens, 1, sample.logprobs);
      open = sample.stop === "length";
      answered += 1;
      const said = sample.stop === "stop" ? sample.tokens.slice(0, -1) : sample.tokens;
      const { parts, illFormed } = parse(tokenizer, said, `${options.id}-${answered}`);
      illFormedTotal += illFormed;
      turns.push({
        message: tokenizer.decode([...said]),
        code: "",
        observation: "",
        status: "ok",
        calls: parts.flatMap((part) =>
          part.type === "tool-call"
            ? [
                {
                  app: "tools",
                  api: part.name,
                  args: JSON.parse(part.arguments),
                  status: 200,
                  wrote: false,
                },
              ]
            : [],
        ),
        span: [at, ids.length],
      });
      const hasCalls = parts.some(({ type }) => type === "tool-call");
      return {
        id: `${options.id}-a${answered}`,
        parts,
        end: sample.stop === "length" ? "length" : hasCalls ? "tool-calls" : "stop",
        illFormed,
        usage: {
          promptTokens: at,
          cachedTokens: 0,
          completionTokens: sample.tokens.length,
          reasoningTokens: 0,
        },
        tokens: { prompt: ids.slice(0, at), ids: sample.tokens, logprobs: sample.logprobs },
        policyVersion: sample.policyVersion,
      };
    },
    record: () => ({ tokens: { ids, mask, logprobs }, turns, policyVersion }),
  };
  return session as AgentSession & {
    record(): {
      tokens: { ids: number[]; mask: (0 | 1)[]; logprobs: number[] };
      turns: Turn[];
      policyVersion: number;
    };
  };
}

function parse(tokenizer: ChatTokenizer, said: readonly number[], id: string) {
  const open = tokenizer.specials.get("<tool_call>");
  const close = tokenizer.specials.get("</tool_call>");
  const parts: ChatPart[] = [];
  let illFormed = 0;
  let text: number[] = [];
  const flush = () => {
    if (text.length > 0) parts.push({ type: "text", text: tokenizer.decode(text) });
    text = [];
  };
  for (let i = 0; i < said.length; i++) {
    if (said[i] !== open) {
      text.push(said[i]!);
      continue;
    }
    const end = said.indexOf(close!, i);
    const inner = tokenizer.decode(said.slice(i + 1, end < 0 ? said.length : end));
    try {
      if (end < 0) throw new Error("unclosed");
      const { name, arguments: args } = JSON.parse(inner) as { name: string; arguments: object };
      if (typeof name !== "string" || typeof args !== "object") throw new Error("no name");
      flush();
      parts.push({ type: "tool-call", id: `${id}-c${i}`, name, arguments: JSON.stringify(args) });
    } catch {
      illFormed += 1;
      text.push(...said.slice(i, end < 0 ? said.length : end + 1));
    }
    i = end < 0 ? said.length : end;
  }
  flush();
  return { parts, illFormed };
}
