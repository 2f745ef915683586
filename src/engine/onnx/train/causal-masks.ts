/** The masks of causal attention, made once for each length of rows. */
import { type Feeds, hasDeviceMemory, numbersOnDevice, tensor } from "../graph/index.ts";
import { causalMask, devicePlaceFeeds } from "../model/index.ts";

export class CausalMasks {
  readonly #masks = new Map<number, Float32Array>();

  /** Returns the feeds of `declareCausalMask` for rows of `time` tokens. */
  async feeds(time: number): Promise<Feeds> {
    if (hasDeviceMemory()) return devicePlaceFeeds(await numbersOnDevice(time), time);
    const mask = this.#masks.get(time) ?? causalMask(time);
    this.#masks.set(time, mask);
    return { mask: tensor(mask, [time, time]) };
  }
}
