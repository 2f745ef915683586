/** Sends requests that nobody should send to all three servers, and good ones in between. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  HOSTILE_REQUESTS,
  type HostileTarget,
  type Outcome,
  sendParts,
  writeHead,
} from "../../../tests/support/hostile-requests.ts";
import { createFakeBackend } from "../../../tests/support/tinker-fake-backend.ts";
import { scriptedSession } from "../../testing/index.ts";
import { openGateway } from "../gateway/index.ts";
import { startServer } from "../studio/http.ts";
import { parseBody } from "../studio/request-parameters.ts";
import { createApi } from "../studio/routes.ts";
import { startTinkerServer } from "../tinker/index.ts";

/** Requests must arrive within this time, so that slow ones end soon. */
const RECEIVE_MS = 600;

interface TestTarget extends HostileTarget {
  /** Returns the message of an error in the form of this server. */
  errorMessage(body: unknown): unknown;
  close(): Promise<void>;
}

const error = (body: unknown) => (body as { error?: unknown }).error;

async function openGatewayTarget(path: string, more: object): Promise<TestTarget> {
  const gateway = await openGateway({ receiveMs: RECEIVE_MS, bodyLimitBytes: 2_000_000 });
  const { key } = gateway.open(scriptedSession(() => "hi"));
  return {
    port: gateway.port,
    path,
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "?" }], ...more }),
    headers: { authorization: `Bearer ${key}` },
    errorMessage: (body) => (error(body) as { message?: unknown }).message,
    close: () => gateway.close(),
  };
}

async function openTinkerTarget(): Promise<TestTarget> {
  const stateDirectory = mkdtempSync(join(tmpdir(), "bowline-hostile-"));
  const backend = createFakeBackend();
  const options = { receiveMs: RECEIVE_MS, bodyLimitBytes: 2_000_000 };
  const server = await startTinkerServer({ backend, stateDirectory, ...options });
  return {
    port: server.port,
    path: "/api/v1/create_session",
    body: JSON.stringify({ tags: [], user_metadata: {}, sdk_version: "0", type: "create_session" }),
    headers: {},
    errorMessage: (body) => {
      const { detail } = body as { detail?: string | { msg: string }[] };
      return typeof detail === "string" ? detail : detail?.[0]?.msg;
    },
    async close() {
      await server.close();
      rmSync(stateDirectory, { recursive: true });
    },
  };
}

async function openStudioTarget(): Promise<TestTarget> {
  const schema = z.object({ a: z.unknown() });
  const api = createApi([
    {
      method: "POST",
      pattern: "echo",
      answer: async (call) => ({ json: await parseBody(call, schema) }),
    },
  ]);
  const server = await startServer({ api, page: () => undefined, port: 0, receiveMs: RECEIVE_MS });
  return {
    port: server.port,
    path: "/api/echo",
    body: '{"a":1}',
    headers: { authorization: `Bearer ${server.token}` },
    errorMessage: error,
    close: () => server.close(),
  };
}

const SERVERS: readonly (readonly [string, () => Promise<TestTarget>])[] = [
  ["the gateway, by OpenAI's API", () => openGatewayTarget("/v1/chat/completions", {})],
  [
    "the gateway, by Anthropic's API",
    () => openGatewayTarget("/anthropic/v1/messages", { max_tokens: 9 }),
  ],
  [
    "the gateway, by Google's API",
    () =>
      openGatewayTarget("/v1beta/models/m:generateContent", {
        contents: [{ role: "user", parts: [{ text: "?" }] }],
      }),
  ],
  ["the Tinker server", openTinkerTarget],
  ["the studio", openStudioTarget],
];

const goodRequest = (target: HostileTarget) => [
  writeHead(target, `POST ${target.path}`, {
    "content-length": String(target.body.length),
    connection: "close",
  }),
  target.body,
];

describe.each(SERVERS)("%s", (_, open) => {
  let target: TestTarget;
  beforeAll(async () => {
    target = await open();
  });
  afterAll(() => target.close());

  /** Returns the parsed bodies of all answers from 400 on, which have a length each. */
  const readErrors = ({ text }: Outcome): unknown[] =>
    [...text.matchAll(/HTTP\/1\.1 4[\s\S]*?content-length: (\d+)[\s\S]*?\r\n\r\n/gi)].map(
      (found) => {
        const from = found.index + found[0].length;
        return target.errorMessage(JSON.parse(text.slice(from, from + Number(found[1]))));
      },
    );

  test("hostile requests end in a 4xx of its dialect or a closed connection, and it still answers", async () => {
    expect(HOSTILE_REQUESTS.length).toBeGreaterThanOrEqual(60);
    const wrong: object[] = [];
    const sendHostile = async ({
      name,
      parts,
      also = [],
      leaves,
    }: (typeof HOSTILE_REQUESTS)[0]) => {
      const outcome = await sendParts(target.port, parts(target), { leaves: leaves ?? false });
      const { statuses, isClosed, text } = outcome;
      const isRefused = statuses.every(
        (status) => (status >= 400 && status < 500) || also.includes(status),
      );
      const errors = readErrors(outcome);
      const isWritten =
        errors.length === statuses.filter((status) => status >= 400).length &&
        errors.every((message) => typeof message === "string" && message !== "");
      const hasEnded = statuses.length > 0 || isClosed;
      const hasStack = /\n\s+at |node:internal|\.ts:\d/.test(text);
      if (!isRefused || !isWritten || !hasEnded || hasStack) {
        wrong.push({ name, statuses, isClosed, errors, text: text.slice(0, 300) });
      }
      const good = await sendParts(target.port, goodRequest(target));
      if (good.statuses[0] !== 200) wrong.push({ name, good: good.text });
    };
    await Promise.all(HOSTILE_REQUESTS.map(sendHostile));
    expect(wrong).toEqual([]);
  }, 30_000);

  test("JSON that is nested too deep is refused with the limit", async () => {
    const deep = HOSTILE_REQUESTS.find(({ name }) => name === "objects 100,000 deep")!;
    const [message] = readErrors(await sendParts(target.port, deep.parts(target)));
    expect(message).toMatch(/nested too deep; expected at most 200 levels/);
  });

  test.each([
    ["slow body", "a slow body"],
    ["slow head", "a slow head"],
  ])("a request with a %s gets a 408 within the limit", async (_, name) => {
    const slow = HOSTILE_REQUESTS.find((one) => one.name === name)!;
    const start = performance.now();
    const { statuses, isClosed } = await sendParts(target.port, slow.parts(target));
    expect({ statuses, isClosed }).toEqual({ statuses: [408], isClosed: true });
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
