/**
 * Chat completions, the answer: a `chat.completion`, or chunks of it and `[DONE]`.
 *
 * Beyond what the dialect has: `reasoning_content`, which some clients send back; and with `return_token_ids`, as vLLM has
 * it, the exact ids of prompt and answer. Log-probs are of ids, since a token is not always a text: `token_id:17`.
 */
import type { SessionAnswer } from "../../../spec/index.ts";
import { callsOf, reasoningOf, textOf } from "../blocks.ts";
import { type Asked, event, type Stamp, type Told } from "../dialect.ts";
import type { GatewayError } from "../gateway-error.ts";

export function whole(answer: SessionAnswer, asked: Asked, stamp: Stamp): object {
  const { parts, tokens } = answer;
  const calls = callsOf(parts);
  const reasoning = reasoningOf(parts);
  const text = textOf(parts);
  const message = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
  };
  const wantsIds = asked.body["return_token_ids"] === true;
  return {
    ...head("chat.completion", stamp),
    choices: [
      {
        index: 0,
        message,
        finish_reason: finishOf(answer),
        logprobs: logprobsOf(answer, asked),
        ...(wantsIds && { token_ids: tokens.ids }),
      },
    ],
    usage: usageOf(answer),
    ...(wantsIds && { prompt_token_ids: tokens.prompt }),
  };
}

export function tell(asked: Asked, stamp: Stamp): Told {
  let told = "";
  let isOpen = false;
  const chunk = (delta: object, rest: object = { finish_reason: null }) =>
    event({
      ...head("chat.completion.chunk", stamp),
      choices: [{ index: 0, delta, logprobs: null, ...rest }],
    });
  const open = () => {
    const first = isOpen ? "" : chunk({ role: "assistant", content: "" });
    isOpen = true;
    return first;
  };
  return {
    text(delta) {
      const first = open();
      told += delta;
      return first + chunk({ content: delta });
    },
    end(answer) {
      const { parts } = answer;
      const reasoning = reasoningOf(parts);
      const rest = textOf(parts).slice(told.length);
      return [
        open(),
        reasoning && chunk({ reasoning_content: reasoning }),
        rest && chunk({ content: rest }),
        ...callsOf(parts).map((call, index) => {
          const { function: said, ...about } = callOf(call);
          return (
            chunk({
              tool_calls: [{ index, ...about, function: { name: said.name, arguments: "" } }],
            }) + chunk({ tool_calls: [{ index, function: { arguments: said.arguments } }] })
          );
        }),
        chunk({}, { finish_reason: finishOf(answer), logprobs: logprobsOf(answer, asked) }),
        wantsUsage(asked) &&
          event({ ...head("chat.completion.chunk", stamp), choices: [], usage: usageOf(answer) }),
        "data: [DONE]\n\n",
      ]
        .filter(Boolean)
        .join("");
    },
    fail: (failure) => event(error(failure)),
  };
}

export function error({ status, code, message, param }: GatewayError): object {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  return { error: { message, type, param: param ?? null, code } };
}

function head(object: string, { id, createdS, model }: Stamp) {
  return { id: `chatcmpl-${id}`, object, created: createdS, model };
}

function callOf({ id, name, arguments: json }: ReturnType<typeof callsOf>[number]) {
  return { id, type: "function", function: { name, arguments: json } };
}

function finishOf({ end }: SessionAnswer): string {
  return end === "tool-calls" ? "tool_calls" : end === "length" ? "length" : "stop";
}

function logprobsOf({ tokens }: SessionAnswer, { body }: Asked) {
  if (body["logprobs"] !== true) return null;
  const content = tokens.ids.map((id, i) => ({
    token: `token_id:${id}`,
    bytes: null,
    logprob: tokens.logprobs[i],
    top_logprobs: [],
  }));
  return { content, refusal: null };
}

function wantsUsage({ body }: Asked): boolean {
  const options = body["stream_options"];
  return typeof options === "object" && options !== null && "include_usage" in options
    ? options.include_usage === true
    : false;
}

function usageOf({ usage }: SessionAnswer) {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}
