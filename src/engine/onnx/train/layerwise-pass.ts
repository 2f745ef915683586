/** Training layer by layer in bounded memory: in this thread's memory (layered/) or on the device (device-pass.ts). */
import type { Feeds, Session } from "../graph/index.ts";
import type { ModelConfig } from "../model/index.ts";
import {
  DevicePass,
  type DevicePrefix,
  devicePrefixFeeds,
  devicePrefixGradients,
} from "./device-pass.ts";
import { HostState } from "./host-state.ts";
import {
  type LayeredCotangents,
  type LayeredInputs,
  type LayeredOptions,
  LayeredPass,
  type PrefixActivations,
} from "./layered/index.ts";
import type { PassOutputs } from "./outputs.ts";
import { addPrefixCotangents, prefixFeeds } from "./prefix-feeds.ts";
import type { GradientFeeds, TrainedState } from "./trained-state.ts";

/** The keys and values of a prefix that rows share, and the sums of their cotangents. */
export type SharedPrefix = PrefixActivations | DevicePrefix;

/** A microbatch, the weights that it passes through, and what is requested. */
export type LayerwiseInputs = Omit<LayeredInputs, "shared"> & {
  readonly shared?: SharedPrefix | undefined;
};

/** Runs forward and backward passes one layer at a time, and adds to the gradient of a trained state. */
export class LayerwisePass {
  readonly #state: TrainedState;
  readonly #host: LayeredPass | undefined;
  readonly #device: DevicePass | undefined;

  constructor(config: ModelConfig, options: LayeredOptions, state: TrainedState) {
    this.#state = state;
    if (state instanceof HostState) this.#host = new LayeredPass(config, options);
    else {
      const { lora, logitElements, quantized } = options;
      this.#device = new DevicePass(config, { lora, logitElements, quantized });
    }
  }

  evaluate(inputs: LayerwiseInputs): Promise<PassOutputs> {
    if (this.#device) return this.#device.evaluate(inputs as LayerwiseInputs & OnDevice);
    return this.#host!.evaluate(inputs as LayeredInputs);
  }

  accumulate(inputs: LayerwiseInputs, cotangents: LayeredCotangents): Promise<PassOutputs> {
    if (this.#device) {
      return this.#device.accumulate(inputs as LayerwiseInputs & OnDevice, cotangents, this.#state);
    }
    return this.#host!.accumulate(inputs as LayeredInputs, cotangents, this.#hostGradient);
  }

  computePrefix(weights: Feeds, tokens: Int32Array): Promise<SharedPrefix> {
    return (this.#device ?? this.#host!).computePrefix(weights, tokens);
  }

  accumulatePrefix(weights: Feeds, prefix: SharedPrefix): Promise<void> {
    if (this.#device) {
      return this.#device.accumulatePrefix(weights, prefix as DevicePrefix, this.#state);
    }
    return this.#host!.accumulatePrefix(weights, prefix as PrefixActivations, this.#hostGradient);
  }

  freePrefix(prefix: SharedPrefix): void {
    this.#device?.freePrefix(prefix as DevicePrefix);
  }

  /** Frees what a device keeps for the next microbatch. */
  freeSpares(): void {
    this.#device?.freeSpares();
  }

  async close(): Promise<void> {
    await this.#device?.close();
    await this.#host?.close();
  }

  readonly #hostGradient = (name: string) => (this.#state as HostState).findGradient(name);
}

interface OnDevice {
  readonly shared?: DevicePrefix;
}

/** How the whole training graph reads a shared prefix, and on a device writes its cotangents. */
export interface PrefixPart {
  readonly feeds: Feeds;
  readonly gradients: GradientFeeds;
}

/** Returns what the whole graph needs of a shared prefix. */
export function sharedPrefixPart(config: ModelConfig, prefix: SharedPrefix): PrefixPart {
  if (isInThisThread(prefix)) {
    return { feeds: prefixFeeds(config, prefix), gradients: { sums: {}, gradients: {} } };
  }
  const all = [...prefix.layers.keys()];
  return {
    feeds: devicePrefixFeeds(config, prefix, all),
    gradients: devicePrefixGradients(config, prefix, all),
  };
}

/** Adds the cotangents of a microbatch's rows to those of the prefix. On a device the graph has added them. */
export function addSharedPrefixCotangents(
  prefix: SharedPrefix,
  results: Awaited<ReturnType<Session["run"]>>,
): void {
  if (isInThisThread(prefix)) addPrefixCotangents(prefix, results);
}

function isInThisThread(prefix: SharedPrefix): prefix is PrefixActivations {
  const [first] = prefix.layers;
  return first === undefined || "keyValues" in first;
}
