/** The thread of a background encoder: it loads the tokenizer once and encodes the texts of each message in order. */
import { parentPort, workerData } from "node:worker_threads";
import { errorMessage } from "../../core/index.ts";
import type { EncodingReply, EncodingRequest } from "./background-encoder.ts";
import { loadTokenizer } from "./load-tokenizer.ts";

const port = parentPort!;
const tokenizer = loadTokenizer(workerData as string);

function answer({ number, texts }: EncodingRequest): EncodingReply {
  try {
    const ids = texts.map(({ text, isPlain }) =>
      Uint32Array.from(isPlain ? tokenizer.encode(text) : tokenizer.encodeRendered(text)),
    );
    return { number, ids };
  } catch (error) {
    return { number, error: errorMessage(error) };
  }
}

port.on("message", (request: EncodingRequest) => {
  const reply = answer(request);
  port.postMessage(reply, "ids" in reply ? reply.ids.map(({ buffer }) => buffer) : []);
});
