import { request as httpRequest } from "node:http";
import { afterEach, expect, test } from "vitest";
import { SessionError } from "../../agent/index.ts";
import { type SessionScript, scriptedSession } from "../../testing/index.ts";
import { type Gateway, type GatewayOptions, openGateway } from "./gateway.ts";

const opened: Gateway[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()));
});

async function openTestGateway(script: SessionScript, options: GatewayOptions = {}) {
  const gateway = await openGateway(options);
  opened.push(gateway);
  const session = scriptedSession(script, "one");
  const episode = gateway.open(session);
  return { gateway, session, episode };
}

const hello = { model: "any", messages: [{ role: "user", content: "hello" }] };

function post(url: string, key: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

test("a call reaches its session by the episode's URL or by its key alone", async () => {
  const { gateway, episode, session } = await openTestGateway(["hi", "hi"]);
  const urls = [
    `${episode.openaiBaseURL}/chat/completions`,
    `${gateway.url}/e/one/chat/completions`,
    `${gateway.url}/openai/v1/chat/completions`,
    `${gateway.url}/v1/chat/completions`,
  ];
  for (const url of urls) {
    const answer = (await (await post(url, episode.key, hello)).json()) as {
      choices: { message: { content: string } }[];
    };
    expect(answer.choices[0]!.message.content).toBe("hi");
  }
  const byHeader = await fetch(`${episode.anthropicBaseURL}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": episode.key },
    body: JSON.stringify({ ...hello, max_tokens: 9 }),
  });
  expect(await byHeader.json()).toMatchObject({ content: [{ type: "text", text: "hi" }] });
  expect(session.answers).toHaveLength(5);
});

test("a call without the right key or after the session's end is refused in its dialect's format", async () => {
  const { gateway, episode, session } = await openTestGateway(["hi"]);
  const other = gateway.open(scriptedSession([], "two"));
  const url = `${episode.openaiBaseURL}/chat/completions`;
  const codeOf = async (response: Response) => {
    const { error } = (await response.json()) as { error: { code: string } };
    return [response.status, error.code, response.headers.get("x-should-retry")];
  };
  const bare = await fetch(url, { method: "POST", body: "{}" });
  expect(await codeOf(bare)).toEqual([401, "missing_api_key", "false"]);
  expect(await codeOf(await post(url, "guess", hello))).toEqual([401, "invalid_api_key", "false"]);
  expect(await codeOf(await post(url, other.key, hello))).toEqual([403, "wrong_session", "false"]);
  episode.close();
  expect(await codeOf(await post(url, episode.key, hello))).toEqual([
    403,
    "session_closed",
    "false",
  ]);
  const anthropic = await post(`${episode.anthropicBaseURL}/v1/messages`, episode.key, hello);
  expect(await anthropic.json()).toMatchObject({
    type: "error",
    error: { type: "permission_error", message: "the session one is closed" },
  });
  expect(session.requests).toEqual([]);
  // The other session still works.
  const neighbour = await post(`${other.openaiBaseURL}/chat/completions`, other.key, hello);
  expect(neighbour.status).toBe(200);
});

test("an invalid request gets an error that says what was expected", async () => {
  const { gateway, episode } = await openTestGateway([], { bodyLimitBytes: 2000 });
  const wrong = async (path: string, body: unknown) => {
    const response = await post(`${gateway.url}/e/one/v1/${path}`, episode.key, body);
    const { error } = (await response.json()) as { error: { message: string } };
    return [response.status, error.message];
  };
  expect(await wrong("chat/completions", "{")).toEqual([400, "the body is not JSON"]);
  expect(await wrong("chat/completions", { messages: 3 })).toEqual([
    400,
    "messages: Invalid input: expected array, received number",
  ]);
  expect(await wrong("chat/completions", { ...hello, n: 2 })).toEqual([
    400,
    "n: only one choice per answer is supported",
  ]);
  expect(
    await wrong("chat/completions", {
      messages: [{ role: "user", content: [{ type: "image_url", image_url: {} }] }],
    }),
  ).toEqual([400, "messages.0.content.0.type: expected a text part, got a part of type image_url"]);
  expect(await wrong("responses", { input: [{ type: "web_search_call" }] })).toEqual([
    400,
    "input.0.type: expected a message, function_call, function_call_output, reasoning or item_reference",
  ]);
  expect(await wrong("responses", { input: [{ type: "item_reference", id: "msg_x" }] })).toEqual([
    400,
    "input.0: msg_x is not an item of this session, or is too old and was dropped",
  ]);
  expect(await wrong("messages", hello)).toEqual([
    400,
    "max_tokens: Invalid input: expected number, received undefined",
  ]);
  expect(await wrong("messages", "x".repeat(3000))).toEqual([
    413,
    "the body is larger than 2000 bytes",
  ]);
  expect(await wrong("embeddings", {})).toEqual([404, "there is no route /e/one/v1/embeddings"]);
  expect((await fetch(`${episode.openaiBaseURL}/chat/completions`)).status).toBe(405);
});

test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
  "a path that ends in %s, which every object has, is unknown",
  async (name) => {
    const { episode } = await openTestGateway(["hi"]);
    const response = await post(`${episode.openaiBaseURL}/${name}`, episode.key, {});
    expect(response.status).toBe(404);
  },
);

test("a session's refusals keep their reason, and any other failure is a 500", async () => {
  const reasons = ["invalid", "context", "ceiling", "closed"] as const;
  let at = 0;
  const { episode } = await openTestGateway(() => {
    const reason = reasons[at++];
    if (reason) throw new SessionError(reason, `because ${reason}`);
    throw new Error("the engine is gone");
  });
  const url = `${episode.openaiBaseURL}/chat/completions`;
  const seen: unknown[] = [];
  for (let i = 0; i < 5; i++) {
    const response = await post(url, episode.key, hello);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    seen.push([response.status, error.code, error.message]);
  }
  expect(seen).toEqual([
    [400, "invalid_request", "because invalid"],
    [400, "context_length_exceeded", "because context"],
    [403, "ceiling_reached", "because ceiling"],
    [403, "session_closed", "because closed"],
    [500, "server_error", "the engine is gone"],
  ]);
});

test("a call marked as a repetition adds no turn, and an unmarked call with an equal body does", async () => {
  const { episode, session } = await openTestGateway(() => "hi");
  const url = `${episode.openaiBaseURL}/chat/completions`;
  const callIds: unknown[] = [];
  for (const headers of [
    {},
    { "x-stainless-retry-count": "1" },
    {},
    { "idempotency-key": "k" },
    { "idempotency-key": "k" },
  ]) {
    const response = await post(url, episode.key, hello, headers as Record<string, string>);
    callIds.push(response.status);
  }
  expect(callIds).toEqual([200, 200, 200, 200, 200]);
  expect(session.answers).toHaveLength(3);
  expect(session.counters.retries).toBe(2);
  const reused = await post(url, episode.key, { ...hello, seed: 1 }, { "idempotency-key": "k" });
  expect(reused.status).toBe(400);
});

test("sampling ends when the client disconnects, and its next equal call gets a new answer", async () => {
  let aborted = 0;
  let calls = 0;
  const { episode, session } = await openTestGateway((_, __, signal) => {
    if (calls++ > 0) return "hi";
    return new Promise((resolve) =>
      signal?.addEventListener("abort", () => {
        aborted++;
        resolve("too late");
      }),
    );
  });
  const url = new URL(`${episode.openaiBaseURL}/chat/completions`);
  const dying = httpRequest(url, {
    method: "POST",
    headers: { authorization: `Bearer ${episode.key}` },
  });
  dying.on("error", () => {});
  dying.end(JSON.stringify({ ...hello, stream: true }));
  await waitUntil(() => calls === 1);
  dying.destroy();
  await waitUntil(() => aborted === 1);
  const again = await post(url.href, episode.key, { ...hello, stream: true });
  expect(await again.text()).toContain('"content":"hi"');
  expect(session.answers).toHaveLength(1);
});

test("Google's clients send the key in a header or in the query, and get errors in Google's form", async () => {
  const { episode } = await openTestGateway(() => "hi");
  const { googleBaseURL, key } = episode;
  const models = `${googleBaseURL}/v1beta/models`;
  const body = JSON.stringify({ contents: [{ parts: [{ text: "?" }] }] });
  const send = async (url: string, headers: Record<string, string>, sent = body) => {
    const response = await fetch(url, { method: "POST", headers, body: sent });
    return [response.status, await response.json()];
  };
  const fixed = googleBaseURL.replace(/\/e\/.*/, "/v1beta/models/openai/m");
  for (const [url, headers] of [
    [`${models}/m:generateContent`, { "x-goog-api-key": key }],
    [`${fixed}:generateContent?key=${key}`, {}],
  ] as const) {
    expect(await send(url, headers)).toMatchObject([
      200,
      { candidates: [{ content: { role: "model", parts: [{ text: "hi" }] } }] },
    ]);
  }
  const expected = (code: number, status: string, reason: string) => [
    code,
    { error: { code, status, details: [{ reason }] } },
  ];
  const google = { "x-goog-api-key": key };
  const call = (action: string, headers: Record<string, string> = google, sent?: string) =>
    send(`${models}/${action}`, headers, sent);
  expect(await call("m:generateContent", { "x-goog-api-key": "x" })).toMatchObject(
    expected(401, "UNAUTHENTICATED", "INVALID_API_KEY"),
  );
  expect(await call("m:streamGenerateContent", google, "{}")).toMatchObject(
    expected(400, "INVALID_ARGUMENT", "INVALID_REQUEST"),
  );
  expect(await call("m:embedContent")).toMatchObject(
    expected(405, "INVALID_ARGUMENT", "WRONG_METHOD"),
  );
  expect(await call("m:countTokens")).toMatchObject([200, { totalTokens: expect.any(Number) }]);
  const list = await fetch(models, { headers: google });
  expect(await list.json()).toMatchObject({ models: [{ name: "models/policy" }] });
});

test("while an answer takes long, the reply is kept alive by spaces, comments or pings", async () => {
  const slow = () => new Promise<string>((resolve) => setTimeout(() => resolve("hi"), 120));
  const { episode } = await openTestGateway(slow, { graceMs: 20, keepAliveMs: 20 });
  const { openaiBaseURL, anthropicBaseURL, googleBaseURL, key } = episode;
  const plain = await (await post(`${openaiBaseURL}/chat/completions`, key, hello)).text();
  expect(plain).toMatch(/^ {2,}\{"id"/);
  const streamed = { ...hello, stream: true };
  const stream = await (await post(`${openaiBaseURL}/chat/completions`, key, streamed)).text();
  expect(stream).toMatch(/^(: waiting\n\n){2,}data: \{/);
  const pings = await post(`${anthropicBaseURL}/v1/messages`, key, { ...streamed, max_tokens: 9 });
  expect(await pings.text()).toMatch(
    /^(event: ping\ndata: \{"type":"ping"\}\n\n){2,}event: message_start/,
  );
  const contents = { contents: [{ parts: [{ text: "?" }] }] };
  const streamUrl = `${googleBaseURL}/v1beta/models/m:streamGenerateContent`;
  const events = await (await post(`${streamUrl}?alt=sse`, key, contents)).text();
  expect(events).toMatch(/^(: waiting\n\n){2,}data: \{"candidates"/);
  const list = await post(streamUrl, key, contents);
  expect(list.headers.get("content-type")).toBe("application/json");
  expect(await list.text()).toMatch(/^\n+\[\{"candidates".*\}\]$/);
});

test("a failure after the grace period is sent in the stream, or cuts the connection of a plain reply", async () => {
  const late = () =>
    new Promise<string>((_, reject) =>
      setTimeout(() => reject(new SessionError("ceiling", "spent")), 80),
    );
  const { episode } = await openTestGateway(late, { graceMs: 10, keepAliveMs: 10 });
  const url = `${episode.openaiBaseURL}/chat/completions`;
  const stream = await post(url, episode.key, { ...hello, stream: true });
  expect(await stream.text()).toContain('"code":"ceiling_reached"');
  await expect(post(url, episode.key, hello).then((r) => r.text())).rejects.toThrow();
});

test("an agent can post rewards, list models and count tokens", async () => {
  const { gateway, episode } = await openTestGateway([], { model: "mine" });
  const { key } = episode;
  expect(episode.postedReward).toBeUndefined();
  await post(`${gateway.url}/e/one/reward`, key, { value: 0.5, metrics: { steps: 3 } });
  expect(episode.postedReward).toEqual({ value: 0.5, metrics: { steps: 3 } });
  expect((await post(`${gateway.url}/e/one/reward`, key, { value: "much" })).status).toBe(400);
  await post(`${gateway.url}/e/one/complete`, key, { value: 1 });
  await episode.completed;
  expect(episode.postedReward).toEqual({ value: 1, metrics: { steps: 3 } });
  const get = async (path: string) =>
    (await fetch(`${gateway.url}/e/one/${path}`, { headers: { "x-api-key": key } })).json();
  expect(await get("openai/v1/models")).toMatchObject({ object: "list", data: [{ id: "mine" }] });
  expect(await get("anthropic/v1/models")).toMatchObject({ first_id: "mine" });
  const count = await post(`${gateway.url}/e/one/anthropic/v1/messages/count_tokens`, key, hello);
  expect(((await count.json()) as { input_tokens: number }).input_tokens).toBeGreaterThan(5);
});

test("refuses calls for other host names, and a second episode with the same id", async () => {
  const { gateway, episode } = await openTestGateway([]);
  const status = await new Promise((resolve) => {
    const call = httpRequest(`${gateway.url}/v1/models`, {
      headers: { host: "evil.example", "x-api-key": episode.key },
    });
    call.on("response", (response) => resolve(response.statusCode)).end();
  });
  expect(status).toBe(421);
  expect(() => gateway.open(scriptedSession([], "one"))).toThrow("give each episode its own");
});

test("closing an episode ends its running calls", async () => {
  const { episode } = await openTestGateway(
    (_, __, signal) =>
      new Promise((resolve) => signal?.addEventListener("abort", () => resolve("late"))),
  );
  const call = post(`${episode.openaiBaseURL}/chat/completions`, episode.key, hello);
  setTimeout(() => episode.close(), 50);
  expect((await call).status).toBe(403);
});

async function waitUntil(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !holds(); i++) await new Promise((go) => setTimeout(go, 5));
  expect(holds()).toBe(true);
}
