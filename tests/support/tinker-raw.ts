/** A client that sends requests of the protocol unchecked and without retries, for tests of the server itself. */
import { tinkerWire as wire } from "../../src/engine/index.ts";
import type { TestServer } from "./tinker-server.ts";

export interface RawAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export class RawClient {
  readonly #server: TestServer;
  #models = 0;
  #seq = new Map<string, number>();
  sessionId = "";

  constructor(server: TestServer) {
    this.#server = server;
  }

  static async open(server: TestServer): Promise<RawClient> {
    const raw = new RawClient(server);
    await raw.openSession();
    return raw;
  }

  async openSession(): Promise<void> {
    const { body } = await this.post("create_session", { tags: [], sdk_version: "test" });
    this.sessionId = body["session_id"] as string;
  }

  async get(path: string): Promise<RawAnswer> {
    const response = await fetch(`${this.#server.url}/api/v1/${path}`);
    return { status: response.status, body: (await response.json()) as RawAnswer["body"] };
  }

  async post(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<RawAnswer> {
    const send = () =>
      fetch(`${this.#server.url}/api/v1/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
    // A restart of the server closes open connections, so the request is sent a second time when it fails.
    const response = await send().catch(send);
    return { status: response.status, body: (await response.json()) as RawAnswer["body"] };
  }

  async postProtobuf(path: string, request: wire.ForwardBackwardRequest): Promise<RawAnswer> {
    const response = await fetch(`${this.#server.url}/api/v1/${path}`, {
      method: "POST",
      headers: { "content-type": wire.PROTOBUF },
      body: wire.encodeForwardBackwardRequest(request),
    });
    return { status: response.status, body: (await response.json()) as RawAnswer["body"] };
  }

  /** Waits for the result of a future and returns its JSON, also when it is an error. */
  async awaitResult(answer: RawAnswer): Promise<RawAnswer["body"]> {
    const request_id = answer.body["request_id"];
    if (typeof request_id !== "string") throw new Error(JSON.stringify(answer));
    for (;;) {
      const polled = await this.post("retrieve_future", { request_id });
      if (polled.status === 408 || polled.body["type"] === "try_again") continue;
      return polled.body;
    }
  }

  async fetchProtobufResult(answer: RawAnswer): Promise<Uint8Array> {
    const response = await fetch(`${this.#server.url}/api/v1/retrieve_future`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: wire.PROTOBUF },
      body: JSON.stringify({ request_id: answer.body["request_id"] }),
    });
    return new Uint8Array(await response.arrayBuffer());
  }

  /** Posts a request and waits for its future's result. */
  async postAndAwait(path: string, body: unknown): Promise<RawAnswer["body"]> {
    return this.awaitResult(await this.post(path, body));
  }

  async createModel(lora: { rank: number; seed?: number } = { rank: 4 }): Promise<string> {
    const body = await this.postAndAwait("create_model", {
      session_id: this.sessionId,
      model_seq_id: this.#models++,
      base_model: this.#server.baseModel,
      lora_config: lora,
    });
    if (typeof body["model_id"] !== "string") throw new Error(JSON.stringify(body));
    return body["model_id"];
  }

  /** Returns the model's id with the next number of its requests. */
  nextRequest(model: string): { model_id: string; seq_id: number } {
    const seq_id = (this.#seq.get(model) ?? 0) + 1;
    this.#seq.set(model, seq_id);
    return { model_id: model, seq_id };
  }

  async forwardBackward(
    model: string,
    data: readonly wire.Datum[],
    loss_fn = "cross_entropy",
    loss_fn_config?: Record<string, number>,
  ): Promise<wire.ForwardBackwardOutput> {
    const body = await this.postAndAwait("forward_backward", {
      ...this.nextRequest(model),
      forward_backward_input: { data, loss_fn, loss_fn_config },
    });
    return wire.forwardBackwardOutputSchema.parse(body);
  }

  async forward(model: string, data: readonly wire.Datum[]): Promise<number[][]> {
    const body = await this.postAndAwait("forward", {
      ...this.nextRequest(model),
      forward_input: { data, loss_fn: "cross_entropy" },
    });
    return readLogprobs(wire.forwardBackwardOutputSchema.parse(body));
  }

  optimStep(model: string, adam: Partial<wire.AdamParams> = { learning_rate: 0.01 }) {
    return this.postAndAwait("optim_step", { ...this.nextRequest(model), adam_params: adam });
  }

  /** Saves the weights for a new sampling session and returns the session's id. */
  async createSampler(model: string, sampling_session_seq_id: number): Promise<string> {
    const body = await this.postAndAwait("save_weights_for_sampler", {
      ...this.nextRequest(model),
      sampling_session_seq_id,
    });
    return body["sampling_session_id"] as string;
  }

  async sample(request: Partial<wire.SampleRequestBody>): Promise<wire.SampleResponse> {
    const body = await this.postAndAwait("asample", {
      num_samples: 1,
      prompt: createPrompt([1, 2, 3]),
      sampling_params: { max_tokens: 6, seed: 7 },
      ...request,
    });
    return wire.sampleResponseSchema.parse(body);
  }
}

export function createPrompt(tokens: readonly number[]): wire.ModelInput {
  return { chunks: [{ type: "encoded_text", tokens: [...tokens] }] };
}

/** Makes a datum of a whole sequence. `inputs` are aligned with its tokens except the first. */
export function createDatum(
  tokens: readonly number[],
  inputs: Readonly<Record<string, readonly number[]>> = {},
): wire.Datum {
  const tensor = (data: readonly number[], dtype: "int64" | "float32") => {
    return { data: [...data], dtype, shape: [data.length] };
  };
  return {
    model_input: createPrompt(tokens.slice(0, -1)),
    loss_fn_inputs: {
      target_tokens: tensor(tokens.slice(1), "int64"),
      ...Object.fromEntries(
        Object.entries(inputs).map(([name, data]) => [name, tensor(data, "float32")]),
      ),
    },
  };
}

export function readLogprobs(output: wire.ForwardBackwardOutput): number[][] {
  return output.loss_fn_outputs.map((fields) => fields["logprobs"]!.data);
}
