import { expect, test } from "vitest";
import { startChatServer } from "../../../testing/chat-server.ts";
import { createChatEndpoint } from "./endpoint.ts";

const KEY = "sk-very-secret";
const request = {
  messages: [{ role: "user" as const, content: "hello" }],
  maxTokens: 4,
  temperature: 0,
};

const describeFailure = async (reply: Promise<unknown>) => {
  try {
    await reply;
  } catch (error) {
    return String((error as Error).message);
  }
  throw new Error("expected a failure");
};

test.each([
  ["a refusal", { status: 401, body: { error: { message: `Incorrect API key: ${KEY}` } } }],
  ["a refusal in plain words", { status: 400, body: `bad header Bearer ${KEY}` }],
  ["something else than a completion", { status: 200, body: { echo: `Bearer ${KEY}` } }],
])("the key is not in the error for %s that quotes it", async (_, answer) => {
  await using server = await startChatServer(() => answer);
  const model = createChatEndpoint({ baseUrl: server.baseUrl, model: "m", apiKey: KEY });
  const message = await describeFailure(model.reply(request as never));
  expect(message).not.toContain(KEY);
  expect(message).toContain("[the key]");
});

test.each([
  ["https://me:hunter2@example.com/v1", /expected an address without a password/],
  ["https//me:hunter2@example.com", /expected the address of .*, got another address$/],
  ["ftp://me:hunter2@example.com", /got another address$/],
  ["nowhere", /got "nowhere"$/],
])("the address %s is refused, and its password is not repeated", (baseUrl, says) => {
  const create = () => createChatEndpoint({ baseUrl, model: "m", apiKey: undefined });
  expect(create).toThrow(says);
  expect(create).not.toThrow(/hunter2/);
});
