/** Bodies of requests in all dialects, with what happens to each of them. */

/** What happens to a body: nothing is named, fields are named, it is refused, or the request has something. */
export type Fate =
  | "harmless"
  | { readonly named: readonly string[] }
  | { readonly refused: RegExp }
  | { readonly request: object; readonly named?: readonly string[] }
  | { readonly sample: object };

const tool = { type: "function", function: { name: "look", parameters: {} } };
const assistant = (more: object) => ({
  messages: [
    { role: "user", content: "?" },
    { role: "assistant", content: "!", ...more },
    { role: "user", content: "??" },
  ],
});
const userPart = (part: object) => ({ messages: [{ role: "user", content: [part] }] });

export const CHAT: readonly (readonly [object, Fate])[] = [
  [{ temperature: 1.5, top_p: 0.0001 }, { sample: { temperature: 1.5, filter: { topP: 0.0001 } } }],
  [{ top_k: 4, min_p: 0.1 }, { sample: { filter: { topK: 4, minP: 0.1 } } }],
  [{ top_k: -1, top_p: 1, min_p: 0 }, { sample: { filter: { topP: 1, minP: 0 } } }],
  [{ top_p: 1.1 }, { refused: /^top_p: / }],
  [{ top_k: 2.5 }, { refused: /^top_k: / }],
  [{ min_p: -0.1 }, { refused: /^min_p: / }],
  [{ seed: 7 }, { request: { seed: 7 } }],
  [{ repetition_penalty: 1.2 }, { named: ["repetition_penalty"] }],
  [{ repetition_penalty: 1 }, "harmless"],
  [{ frequency_penalty: 0, presence_penalty: 0 }, "harmless"],
  [
    { frequency_penalty: 0.5, presence_penalty: -1 },
    { named: ["frequency_penalty", "presence_penalty"] },
  ],
  [{ logit_bias: { 50256: -100 } }, { named: ["logit_bias"] }],
  [{ logit_bias: {} }, "harmless"],
  [{ reasoning_effort: "low" }, { named: ["reasoning_effort"] }],
  [{ reasoning_effort: "none" }, { request: { templateVariables: { enable_thinking: false } } }],
  [
    { chat_template_kwargs: { enable_thinking: false } },
    { request: { templateVariables: { enable_thinking: false } } },
  ],
  [{ chat_template_kwargs: { mood: "calm" } }, { named: ["chat_template_kwargs.mood"] }],
  [{ response_format: { type: "text" } }, "harmless"],
  [
    {
      response_format: {
        type: "json_schema",
        json_schema: { name: "a", strict: true, schema: { type: "object" } },
      },
    },
    { request: { json: { schema: { type: "object" } } }, named: ["response_format"] },
  ],
  [
    { response_format: { type: "json_object" } },
    { request: { json: {} }, named: ["response_format"] },
  ],
  [{ response_format: { type: "grammar" } }, { refused: /^response_format.type: / }],
  [{ logprobs: true, top_logprobs: 5 }, { named: ["top_logprobs"] }],
  [{ top_logprobs: 0, n: 1 }, "harmless"],
  [{ n: 3 }, { refused: /^n: only one choice/ }],
  [{ stop: "END" }, { request: { stop: ["END"] } }],
  [{ stop: "" }, { refused: /^stop: expected a text that is not empty/ }],
  [{ tools: [tool], tool_choice: "none" }, { request: { toolChoice: "none" } }],
  [
    { tools: [{ type: "function", function: { name: "look", strict: true } }] },
    { named: ["tools.*.function.strict"] },
  ],
  [{ tools: [{ type: "custom", custom: { name: "look" } }] }, { refused: /only function tools/ }],
  [
    { tools: [tool], tool_choice: { type: "allowed_tools", allowed_tools: {} } },
    { refused: /^tool_choice: / },
  ],
  [{ functions: [{ name: "look" }] }, { refused: /^functions: use tools/ }],
  [{ web_search_options: {} }, { refused: /^web_search_options: / }],
  [{ modalities: ["text", "audio"] }, { refused: /^modalities: expected \["text"\]/ }],
  [{ modalities: ["text"] }, "harmless"],
  [{ stream_options: { include_usage: true, include_obfuscation: false } }, "harmless"],
  [{ user: "u", metadata: { a: "b" }, store: true, prompt_cache_key: "k" }, "harmless"],
  [{ service_tier: "flex", model: "gpt-9", prediction: {} }, "harmless"],
  [{ verbosity: "low" }, { named: ["verbosity"] }],
  [{ ignore_eos: true, min_tokens: 3 }, { named: ["ignore_eos", "min_tokens"] }],
  [{ guided_json: {} }, { named: ["guided_json"] }],
  [{ messages: [{ role: "user", content: "?", name: "Ada" }] }, { named: ["messages.*.name"] }],
  [
    assistant({ reasoning_content: "hm" }),
    { request: { messages: [{}, { parts: [{ type: "reasoning", text: "hm" }, {}] }, {}] } },
  ],
  [
    assistant({ content: null, refusal: "no" }),
    { request: { messages: [{}, { parts: [{ type: "text", text: "no" }] }, {}] } },
  ],
  [assistant({ weight: 0 }), { named: ["messages.*.weight"] }],
  [assistant({ annotations: [], audio: null, name: "me" }), "harmless"],
  [assistant({ function_call: {} }), { refused: /^messages.1.function_call: use tool_calls/ }],
  [
    userPart({ type: "image_url", image_url: {} }),
    { refused: /^messages.0.content.0.type: expected a text part, got a part of type image_url/ },
  ],
  [userPart({ type: "text", text: "a", cache_control: {} }), "harmless"],
  [userPart({ type: "text", text: "a", lang: "en" }), { named: ["messages.*.content.*.lang"] }],
  [
    { messages: [{ role: "function", name: "look", content: "1" }] },
    { refused: /^messages.0.role/ },
  ],
];

export const RESPONSES: readonly (readonly [object, Fate])[] = [
  [{ temperature: 0.5, top_p: 0.9 }, { sample: { temperature: 0.5, filter: { topP: 0.9 } } }],
  [{ top_k: 3 }, { sample: { filter: { topK: 3 } } }],
  [{ top_p: 2 }, { refused: /^top_p: / }],
  [{ reasoning: { effort: "high" } }, { named: ["reasoning.effort"] }],
  [
    { reasoning: { effort: "none", summary: "auto" } },
    { request: { templateVariables: { enable_thinking: false } } },
  ],
  [{ reasoning: { mode: "pro" } }, { named: ["reasoning.mode"] }],
  [
    { chat_template_kwargs: { enable_thinking: false, x: 1 } },
    { named: ["chat_template_kwargs.x"] },
  ],
  [{ text: { format: { type: "text" }, verbosity: "medium" } }, "harmless"],
  [
    {
      text: {
        format: { type: "json_schema", name: "a", strict: true, schema: { type: "object" } },
      },
    },
    { request: { json: { schema: { type: "object" } } }, named: ["text.format"] },
  ],
  [{ text: { format: { type: "json_object" } } }, { named: ["text.format"] }],
  [{ text: { verbosity: "high" } }, { named: ["text.verbosity"] }],
  [{ instructions: "be brief" }, { request: { messages: [{ role: "system" }, {}] } }],
  [{ max_output_tokens: 5 }, { sample: { maxTokens: 5 } }],
  [{ max_output_tokens: 0 }, { refused: /^max_output_tokens: / }],
  [{ max_tool_calls: 2, store: false, metadata: { a: "b" } }, "harmless"],
  [{ user: "u", safety_identifier: "s", prompt_cache_retention: "24h" }, "harmless"],
  [{ truncation: "auto" }, { named: ["truncation"] }],
  [{ truncation: "disabled", background: false, include: [] }, "harmless"],
  [{ include: ["reasoning.encrypted_content"] }, { named: ["include"] }],
  [{ background: true }, { refused: /^background: expected false, got true/ }],
  [{ conversation: "c" }, { refused: /^conversation: not supported/ }],
  [{ prompt: { id: "p" } }, { refused: /^prompt: stored prompts/ }],
  [{ previous_response_id: "resp_x" }, { refused: /^previous_response_id: / }],
  [{ top_logprobs: 2 }, { named: ["top_logprobs"] }],
  [{ moderation: {} }, { named: ["moderation"] }],
  [{ context_management: [{}] }, { named: ["context_management"] }],
  [{ tools: [{ type: "web_search" }] }, { refused: /^tools.0.type: only function tools/ }],
  [
    { tools: [{ type: "function", name: "look", parameters: {}, strict: true }] },
    { named: ["tools.*.strict"] },
  ],
  [
    { tools: [{ type: "function", name: "look", parameters: null, strict: null }] },
    { request: { tools: [{ name: "look" }] } },
  ],
  [{ tool_choice: { type: "web_search" } }, { refused: /^tool_choice: / }],
  [{ parallel_tool_calls: false }, { request: { parallelToolCalls: false } }],
  [{ stream_options: { include_obfuscation: false } }, "harmless"],
  [{ stop: ["END"] }, { named: ["stop"] }],
  [{ seed: 3 }, { named: ["seed"] }],
  [{ input: [{ role: "user", content: "?", phase: null }] }, "harmless"],
  [{ input: [{ role: "user", content: "?", mood: 1 }] }, { named: ["input.*.mood"] }],
  [
    { input: [{ role: "user", content: [{ type: "input_image" }] }] },
    { refused: /^input.0.content.0.type: expected a text part, got a part of type input_image/ },
  ],
  [
    {
      input: [
        { type: "reasoning", summary: [], encrypted_content: "x" },
        { role: "user", content: "?" },
      ],
    },
    { named: ["input.*.encrypted_content"] },
  ],
  [{ input: [{ type: "mcp_call" }] }, { refused: /^input.0.type: expected a message/ }],
];

export const MESSAGES: readonly (readonly [object, Fate])[] = [
  [
    { temperature: 0.5, top_p: 0.9, top_k: 3 },
    { sample: { temperature: 0.5, filter: { topP: 0.9, topK: 3 } } },
  ],
  [{ top_k: 0 }, "harmless"],
  [{ top_p: -1 }, { refused: /^top_p: / }],
  [{ min_p: 0.1 }, { named: ["min_p"] }],
  [{ stop_sequences: ["END"] }, { request: { stop: ["END"] } }],
  [{ stop_sequences: [""] }, { refused: /^stop_sequences.0: / }],
  [
    { thinking: { type: "disabled" } },
    { request: { templateVariables: { enable_thinking: false } } },
  ],
  [
    { thinking: { type: "adaptive" } },
    { request: { templateVariables: { enable_thinking: true } } },
  ],
  [
    { thinking: { type: "enabled", budget_tokens: 1024 } },
    {
      request: { templateVariables: { enable_thinking: true } },
      named: ["thinking.budget_tokens"],
    },
  ],
  [{ thinking: { type: "between_tools" } }, { named: ["thinking"] }],
  [{ thinking: { type: "sometimes" } }, { refused: /^thinking.type: / }],
  [{ output_config: { effort: "max" } }, { named: ["output_config.effort"] }],
  [
    { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
    { request: { json: { schema: { type: "object" } } }, named: ["output_config.format"] },
  ],
  [{ output_format: { type: "json_schema", schema: {} } }, { named: ["output_format"] }],
  [{ output_config: { task_budget: {} } }, { named: ["output_config.task_budget"] }],
  [{ metadata: { user_id: "u" }, service_tier: "auto", model: "claude" }, "harmless"],
  [{ cache_control: { type: "ephemeral" }, inference_geo: "eu", speed: "fast" }, "harmless"],
  [{ context_management: {} }, { named: ["context_management"] }],
  [{ container: "c" }, { named: ["container"] }],
  [{ container: null }, "harmless"],
  [{ mcp_servers: [{}] }, { refused: /^mcp_servers: tools that a provider runs/ }],
  [{ thread: {} }, { refused: /^thread: conversations are not stored/ }],
  [{ max_tokens: 0 }, { refused: /^max_tokens: / }],
  [{ system: [{ type: "text", text: "be brief", cache_control: {} }] }, "harmless"],
  [{ system: [{ type: "image" }] }, { refused: /^system.0.type: / }],
  [
    { tools: [{ name: "look", input_schema: {}, strict: true, cache_control: {} }] },
    { named: ["tools.*.strict"] },
  ],
  [
    { tools: [{ name: "look", input_schema: {}, input_examples: [{}], defer_loading: true }] },
    { named: ["tools.*.input_examples", "tools.*.defer_loading"] },
  ],
  [
    { tools: [{ type: "bash_20250124", name: "bash" }] },
    { refused: /^tools.0.type: tools that the/ },
  ],
  [{ tool_choice: { type: "tool" } }, { refused: /^tool_choice.name: / }],
  [
    { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
    { request: { parallelToolCalls: false } },
  ],
  [{ seed: 3, n: 2 }, { named: ["seed", "n"] }],
  [
    userPart({ type: "image", source: {} }),
    { refused: /^messages.0.content.0.type: expected a text/ },
  ],
  [userPart({ type: "text", text: "a", citations: null, cache_control: {} }), "harmless"],
  [userPart({ type: "text", text: "a", mood: 1 }), { named: ["messages.*.content.*.mood"] }],
  [
    userPart({ type: "tool_result", tool_use_id: "c", content: [{ type: "image" }] }),
    { refused: /^messages.0.content.0.content.0.type: expected a text block/ },
  ],
  [
    assistant({
      content: [
        { type: "redacted_thinking", data: "x" },
        { type: "text", text: "!" },
      ],
    }),
    { named: ["messages.*.content.*.data"] },
  ],
];

/** Bodies with an object of every table. */
const config = (generationConfig: object) => ({ generationConfig });
const parts = (...more: readonly object[]) => ({ contents: [{ role: "user", parts: more }] });
const declared = (more: object) => ({
  tools: [{ functionDeclarations: [{ name: "look", ...more }] }],
});
const calling = (functionCallingConfig: object) => ({
  ...declared({}),
  toolConfig: { functionCallingConfig },
});

export const GOOGLE: readonly (readonly [object, Fate])[] = [
  [
    config({ temperature: 1.5, topP: 0.0001, topK: 4 }),
    { sample: { temperature: 1.5, filter: { topP: 0.0001, topK: 4 } } },
  ],
  [config({ topP: 1.1 }), { refused: /^generationConfig.topP: / }],
  [config({ maxOutputTokens: 5 }), { sample: { maxTokens: 5 } }],
  [config({ maxOutputTokens: 0 }), { refused: /^generationConfig.maxOutputTokens: / }],
  [config({ seed: 7, stopSequences: ["END"] }), { request: { seed: 7, stop: ["END"] } }],
  [{ generation_config: { max_output_tokens: 5 } }, { sample: { maxTokens: 5 } }],
  [
    config({ maxOutputTokens: 5, max_output_tokens: 6 }),
    { named: ["generationConfig.max_output_tokens"] },
  ],
  [config({ candidateCount: 1, responseModalities: ["TEXT"], presencePenalty: 0 }), "harmless"],
  [config({ candidateCount: 2 }), { refused: /only one candidate/ }],
  [config({ responseModalities: ["AUDIO"] }), { refused: /only texts/ }],
  [config({ frequencyPenalty: 1 }), { named: ["generationConfig.frequencyPenalty"] }],
  [config({ responseLogprobs: true, logprobs: 5 }), { named: ["generationConfig.logprobs"] }],
  [config({ responseMimeType: "text/plain" }), "harmless"],
  [config({ responseMimeType: "text/x.enum" }), { refused: /^generationConfig.responseMimeType/ }],
  [
    config({ responseMimeType: "application/json", responseSchema: { type: "OBJECT" } }),
    {
      request: { json: { schema: { type: "object" } } },
      named: ["generationConfig.responseMimeType"],
    },
  ],
  [
    config({ thinkingConfig: { thinkingBudget: 0, includeThoughts: true } }),
    { request: { templateVariables: { enable_thinking: false } } },
  ],
  [
    config({ thinkingConfig: { thinkingLevel: "HIGH" } }),
    { named: ["generationConfig.thinkingConfig.thinkingLevel"] },
  ],
  [{ safetySettings: [{}] }, { named: ["safetySettings"] }],
  [{ labels: { a: "b" }, store: true, model: "models/m" }, "harmless"],
  [{ cachedContent: "cachedContents/1" }, { refused: /^cachedContent: conversations are not/ }],
  [
    { system_instruction: { parts: { text: "be brief" } } },
    { request: { messages: [{ role: "system" }, {}] } },
  ],
  [{ systemInstruction: { parts: [{ inlineData: {} }] } }, { refused: /^systemInstruction/ }],
  [{ contents: [] }, { refused: /^contents: / }],
  [{ contents: [{ role: "system", parts: [] }] }, { refused: /^contents.0.role: / }],
  [parts({ inlineData: { mimeType: "image/png" } }), { refused: /^contents.0.parts.0.inlineData/ }],
  [parts({ text: "?", functionCall: { name: "f" } }), { refused: /expected one of text/ }],
  [parts({ functionCall: { name: "f" } }), { refused: /functionCall: expected it in a content/ }],
  [parts({ text: "?", mood: 1 }), { named: ["contents.*.parts.*.mood"] }],
  [{ tools: [{ googleSearch: {} }] }, { refused: /^tools.0.googleSearch: tools that a provider/ }],
  [
    declared({ parameters: { type: "OBJECT" } }),
    { request: { tools: [{ name: "look", parameters: { type: "object" } }] } },
  ],
  [
    { tools: [{ function_declarations: [{ name: "look", parameters_json_schema: {} }] }] },
    { request: { tools: [{ name: "look", parameters: {} }] } },
  ],
  [declared({ behavior: "BLOCKING" }), "harmless"],
  [declared({ response: {} }), { named: ["tools.*.functionDeclarations.*.response"] }],
  [declared({ name: "look at" }), { refused: /expected a name of letters/ }],
  [
    calling({ mode: "ANY", allowedFunctionNames: ["look"] }),
    { request: { toolChoice: { name: "look" } } },
  ],
  [calling({ mode: "ANY" }), { request: { toolChoice: "required" } }],
  [calling({ mode: "NONE" }), { request: { toolChoice: "none" } }],
  [calling({ mode: "VALIDATED" }), { refused: /expected AUTO, ANY or NONE/ }],
  [calling({ mode: "ANY", allowedFunctionNames: ["a", "b"] }), { refused: /at most one name/ }],
];

export const RICH: Readonly<Record<string, object>> = {
  chat: {
    messages: [
      { role: "system", content: [{ type: "text", text: "a" }] },
      { role: "user", content: [{ type: "text", text: "?" }] },
      {
        role: "assistant",
        content: [{ type: "refusal", refusal: "no" }],
        tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "1" }] },
    ],
    tools: [{ type: "function", function: { name: "look" } }],
    tool_choice: { type: "function", function: { name: "look" } },
    response_format: { type: "json_schema", json_schema: { name: "a" } },
    stream_options: { include_usage: true },
  },
  responses: {
    input: [
      { type: "message", role: "user", content: [{ type: "input_text", text: "?" }] },
      { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
      { type: "function_call", call_id: "c", name: "look", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "1" }] },
    ],
    tools: [{ type: "function", name: "look" }],
    tool_choice: { type: "function", name: "look" },
    text: { format: { type: "json_schema", name: "a" } },
    reasoning: { summary: "auto" },
    stream_options: {},
  },
  messages: {
    max_tokens: 9,
    system: [{ type: "text", text: "a" }],
    messages: [
      { role: "user", content: [{ type: "text", text: "?" }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "redacted_thinking" },
          { type: "tool_use", id: "c", name: "look", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: "1" }] },
        ],
      },
    ],
    tools: [{ name: "look" }],
    tool_choice: { type: "tool", name: "look" },
    thinking: { type: "adaptive" },
    output_config: { format: { type: "json_schema" } },
  },
  google: {
    systemInstruction: { parts: [{ text: "a" }] },
    contents: [
      { role: "user", parts: [{ text: "?" }] },
      {
        role: "model",
        parts: [{ text: "hm", thought: true }, { functionCall: { name: "look", args: {} } }],
      },
      { role: "user", parts: [{ functionResponse: { name: "look", response: {} } }] },
    ],
    tools: [{ functionDeclarations: [{ name: "look", parameters: {} }] }],
    toolConfig: { functionCallingConfig: { mode: "AUTO" } },
    generationConfig: { thinkingConfig: {} },
  },
};
