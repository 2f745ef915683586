/** An engine that forwards every call to another engine. Engines that change only a few answers are built on it. */
import type { Engine } from "../../spec/index.ts";

/**
 * Creates an object that forwards to the engine. It can be spread without losing methods, even if the engine is an
 * instance of a class.
 */
export function createForwardingEngine(engine: Engine): Engine {
  return {
    info: engine.info,
    sample: (requests, signal) => engine.sample(requests, signal),
    release: (cacheKey) => engine.release(cacheKey),
    evaluate: (rows, options) => engine.evaluate(rows, options),
    accumulate: (rows, cotangents, options) => engine.accumulate(rows, cotangents, options),
    update: (step) => engine.update(step),
    discard: () => engine.discard(),
    publish: () => engine.publish(),
    snapshot: () => engine.snapshot(),
    save: (directory) => engine.save(directory),
    load: (directory, options) => engine.load(directory, options),
    close: () => engine.close(),
  };
}
