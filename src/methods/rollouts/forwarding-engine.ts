/** An engine that passes everything on: the ground of those that change a few answers of another. */
import type { Engine } from "../../spec/index.ts";

/** For spreading: engines may be classes, whose methods a spread would lose. */
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
