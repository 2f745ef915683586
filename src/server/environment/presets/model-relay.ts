/**
 * A fixed address for the models of all episodes, for servers that read their model's address and key when they start.
 * Each request names its episode by the key in `metadata.bowline`, and is sent on to the gateway with that key.
 */
import { z } from "zod";
import { errorMessage } from "../../../core/index.ts";
import { HttpRefusal, openFront, readJsonText, sendReply } from "../../http/index.ts";

export interface ModelRelay {
  close(): Promise<void>;
}

/** The field of `metadata` that has the key. */
export const KEY_FIELD = "bowline";

const bodySchema = z.looseObject({ metadata: z.looseObject({ [KEY_FIELD]: z.string() }) });

/** Opens the relay on loopback. `gateway` is the gateway's URL. Throws a `config` error when the port is not free. */
export async function openModelRelay(port: number, gateway: string): Promise<ModelRelay> {
  return openFront({
    ...{ host: "127.0.0.1", port, limits: { bodyBytes: 2 ** 24 } },
    async answer({ method, path, body }, response) {
      const text = readJsonText(await body());
      const left = new AbortController();
      response.on("close", () => left.abort());
      const answer = await fetch(`${gateway}${path}`, {
        method,
        headers: { "content-type": "application/json", authorization: `Bearer ${readKey(text)}` },
        ...(method === "POST" && { body: text }),
        signal: left.signal,
      });
      const headers = { "content-type": "application/json", "x-should-retry": "false" };
      sendReply(response, { status: answer.status, headers, text: await answer.text() });
    },
    formatError(error) {
      const status = error instanceof HttpRefusal ? error.status : 502;
      const message = errorMessage(error);
      const text = JSON.stringify({
        error: { message, type: "relay", code: "relay", param: null },
      });
      return { status, headers: { "content-type": "application/json" }, text };
    },
  });
}

function readKey(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpRefusal(400, "invalid_json", "the body is not JSON");
  }
  const parsed = bodySchema.safeParse(value);
  if (parsed.success) return parsed.data.metadata[KEY_FIELD] as string;
  throw new HttpRefusal(
    400,
    "missing_episode",
    `metadata.${KEY_FIELD}: expected the key of the episode, which the agent must pass on with responses_create_params`,
  );
}
