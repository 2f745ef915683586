/**
 * Implements `DoctorServer` on a real server: sends the probes' requests in either dialect, with the client's codecs.
 */
import { SDK_VERSION } from "../client/session.ts";
import {
  type AdamParameters,
  type Example,
  exampleToDatum,
  type Outcome,
  type PassResult,
  type SampleResult,
  type Sampler,
  type SampleSettings,
  withEqualWeights,
} from "../probes/index.ts";
import { encodeForwardBackwardRequest } from "../wire/index.ts";
import type {
  Dialect,
  DoctorModel,
  DoctorServer,
  NumberedPass,
  NumberedPassOptions,
} from "./doctor-server.ts";
import type { Exchange } from "./exchange.ts";
import {
  mapOutcome,
  readId,
  readMetrics,
  readPassResult,
  readSampleResult,
} from "./read-answers.ts";

export interface WireServerOptions {
  readonly baseModel: string;
  readonly rank: number;
}

export class WireServer implements DoctorServer {
  readonly rank: number;
  readonly #exchange: Exchange;
  readonly #sessionId: string;
  readonly #baseModel: string;
  #models = 0;

  private constructor(exchange: Exchange, sessionId: string, options: WireServerOptions) {
    this.#exchange = exchange;
    this.#sessionId = sessionId;
    this.#baseModel = options.baseModel;
    this.rank = options.rank;
  }

  static async open(exchange: Exchange, options: WireServerOptions): Promise<Outcome<WireServer>> {
    const body = { tags: ["bowline-doctor"], sdk_version: SDK_VERSION, type: "create_session" };
    const answer = await exchange.post("/create_session", body);
    return mapOutcome(
      answer,
      (value) => new WireServer(exchange, readId(value, "session_id"), options),
    );
  }

  async heartbeat(): Promise<Outcome<void>> {
    const session_id = this.#sessionId;
    return mapOutcome(
      await this.#exchange.post("/session_heartbeat", { session_id }),
      () => undefined,
    );
  }

  async createModel(): Promise<Outcome<DoctorModel>> {
    const outcome = await this.#exchange.runFuture("/create_model", {
      session_id: this.#sessionId,
      model_seq_id: this.#models++,
      base_model: this.#baseModel,
      lora_config: { rank: this.rank, seed: 1 + this.#models, train_unembed: false },
      type: "create_model",
    });
    return mapOutcome(
      outcome,
      ({ answer }) => new WireModel(this.#exchange, readId(answer, "model_id")),
    );
  }
}

class WireModel implements DoctorModel {
  readonly #exchange: Exchange;
  readonly #id: string;
  #number = 1;
  #samplers = 0;
  #dialect: Dialect | undefined;

  constructor(exchange: Exchange, id: string) {
    this.#exchange = exchange;
    this.#id = id;
  }

  get nextNumber(): number {
    return this.#number;
  }

  async forwardBackward(
    examples: readonly Example[],
    loss: string,
    options: NumberedPassOptions = {},
  ): Promise<Outcome<NumberedPass>> {
    const dialect = options.dialect ?? this.#dialect;
    if (dialect !== undefined) return this.#send(examples, loss, { ...options, dialect });
    const proto = await this.#send(examples, loss, { ...options, dialect: "proto" });
    if (proto.ok) this.#dialect = "proto";
    if (proto.ok) return proto;
    const json = await this.#send(examples, loss, { ...options, dialect: "json" });
    if (json.ok) this.#dialect = "json";
    return json.ok ? json : proto;
  }

  async forward(examples: readonly Example[]): Promise<Outcome<PassResult>> {
    const equalWeightExamples = examples.map(withEqualWeights);
    if (this.#dialect !== "json") {
      const proto = await this.#send(
        equalWeightExamples,
        "cross_entropy",
        { dialect: "proto" },
        true,
      );
      if (proto.ok || this.#dialect === "proto") return proto;
    }
    return this.#send(equalWeightExamples, "cross_entropy", { dialect: "json" }, true);
  }

  async step(parameters: AdamParameters): Promise<Outcome<Readonly<Record<string, number>>>> {
    this.#exchange.costs.optimizerSteps++;
    const outcome = await this.#sendNumbered((seq_id) =>
      this.#exchange.runFuture("/optim_step", {
        model_id: this.#id,
        seq_id,
        adam_params: parameters,
        type: "optim_step",
      }),
    );
    return mapOutcome(outcome, ({ answer }) => readMetrics(answer.parseJson()));
  }

  async createSampler(): Promise<Outcome<Sampler>> {
    const done = await this.#sendNumbered((seq_id) =>
      this.#exchange.runFuture("/save_weights_for_sampler", {
        model_id: this.#id,
        seq_id,
        sampling_session_seq_id: this.#samplers++,
        type: "save_weights_for_sampler",
      }),
    );
    return mapOutcome(done, ({ answer }) => {
      return new WireSampler(this.#exchange, readId(answer, "sampling_session_id"));
    });
  }

  async save(name: string): Promise<Outcome<string>> {
    const done = await this.#sendNumbered((seq_id) =>
      this.#exchange.runFuture("/save_weights", {
        model_id: this.#id,
        seq_id,
        path: name,
        type: "save_weights",
      }),
    );
    return mapOutcome(done, ({ answer }) => readId(answer, "path"));
  }

  async load(path: string): Promise<Outcome<void>> {
    const done = await this.#sendNumbered((seq_id) =>
      this.#exchange.runFuture("/load_weights", {
        model_id: this.#id,
        seq_id,
        path,
        optimizer: true,
        type: "load_weights",
      }),
    );
    return mapOutcome(done, () => undefined);
  }

  async deleteSaved(path: string): Promise<void> {
    const name = /^tinker:\/\/([^/]+)\/(weights\/[^/]+)$/.exec(path);
    if (name === null) return;
    const [, model, checkpoint] = name;
    await this.#exchange.sendDelete(
      `/training_runs/${encodeURIComponent(model!)}/checkpoints/${checkpoint}`,
    );
  }

  async unload(): Promise<Outcome<void>> {
    const done = await this.#exchange.runFuture("/unload_model", {
      model_id: this.#id,
      type: "unload_model",
    });
    return mapOutcome(done, () => undefined);
  }

  async #send(
    examples: readonly Example[],
    loss: string,
    { number, dialect, config }: NumberedPassOptions,
    forwardOnly = false,
  ): Promise<Outcome<NumberedPass>> {
    const data = examples.map(exampleToDatum);
    const bill = this.#exchange.costs;
    for (const { inputs } of examples) bill.trainedTokens += inputs.length;
    const sendPass = (seq_id: number) => {
      const name = `${this.#id}:${seq_id}:${examples.length}:${dialect}`;
      if (dialect === "proto") {
        const request = {
          model_id: this.#id,
          seq_id,
          data,
          loss_fn: loss,
          ...(config === undefined ? {} : { loss_fn_config: { ...config } }),
          forward_only: forwardOnly,
        };
        return this.#exchange.runFuture(
          "/forward_backward",
          encodeForwardBackwardRequest(request),
          name,
        );
      }
      const input = {
        data,
        loss_fn: loss,
        ...(config === undefined ? {} : { loss_fn_config: config }),
      };
      const body = { model_id: this.#id, seq_id };
      return forwardOnly
        ? this.#exchange.runFuture("/forward", { ...body, forward_input: input }, name)
        : this.#exchange.runFuture(
            "/forward_backward",
            { ...body, forward_backward_input: input },
            name,
          );
    };
    const done =
      number === undefined
        ? await this.#sendNumbered((next) => sendPass(next))
        : await sendPass(number);
    return mapOutcome(done, readPassResult);
  }

  /**
   * Sends a request with the next number. A request that was refused before it became a future keeps its number free.
   */
  async #sendNumbered<T>(send: (number: number) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const outcome = await send(this.#number);
    if (outcome.ok || outcome.accepted) this.#number++;
    return outcome;
  }
}

class WireSampler implements Sampler {
  readonly #exchange: Exchange;
  readonly #id: string;
  #number = 0;

  constructor(exchange: Exchange, id: string) {
    this.#exchange = exchange;
    this.#id = id;
  }

  async sample(settings: SampleSettings): Promise<Outcome<SampleResult>> {
    const { prompt, samples, stop, promptLogprobs, temperature, seed, maxTokens } = settings;
    const { costs } = this.#exchange;
    costs.prefillTokens += prompt.length;
    const done = await this.#exchange.runFuture("/asample", {
      sampling_session_id: this.#id,
      seq_id: this.#number++,
      num_samples: samples,
      prompt: { chunks: [{ type: "encoded_text", tokens: prompt }] },
      sampling_params: {
        max_tokens: maxTokens,
        temperature,
        seed,
        ...(stop === undefined ? {} : { stop }),
      },
      ...(promptLogprobs ? { prompt_logprobs: true } : {}),
      type: "sample",
    });
    return mapOutcome(done, ({ answer }) => {
      const result = readSampleResult(answer);
      for (const { tokens } of result.sequences) costs.sampledTokens += tokens.length;
      return result;
    });
  }
}
