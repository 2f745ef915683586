/**
 * An engine of your own. It forwards every call to the package's engine and records the call and its duration in
 * `engine/calls.jsonl` of the run. An engine for other hardware would implement `sample`, `accumulate`, ... itself.
 *
 *     bowline train smoke --engine ./examples/my-engine.ts --engine.options '{"threads":1}'
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createEngine, createForwardingEngine, type Engine, type MakeEngine } from "bowline";

type CallName = "sample" | "evaluate" | "accumulate" | "update" | "publish" | "save" | "load";

/** Wraps an engine so that `record` is called after each call with its name, number of items and duration. */
export function recordCalls(
  engine: Engine,
  record: (call: CallName, items: number, ms: number) => void,
): Engine {
  const timed =
    <A extends unknown[], R>(call: CallName, work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const start = performance.now();
      const result = await work(...args);
      const items = Array.isArray(args[0]) ? args[0].length : 0;
      record(call, items, Math.round(performance.now() - start));
      return result;
    };
  const forwarding = createForwardingEngine(engine);
  return {
    ...forwarding,
    info: { ...engine.info, name: `recorded ${engine.info.name}` },
    sample: timed("sample", forwarding.sample),
    evaluate: timed("evaluate", forwarding.evaluate),
    accumulate: timed("accumulate", forwarding.accumulate),
    update: timed("update", forwarding.update),
    publish: timed("publish", forwarding.publish),
    save: timed("save", forwarding.save),
    load: timed("load", forwarding.load),
  };
}

/** Makes the engine. `request.options` has the value of `--engine.options`. */
const makeEngine: MakeEngine = async (request) => {
  const { directory, options = {} } = request;
  const threads = Number(options["threads"] ?? request.threads);
  const engine = await createEngine("onnx", { ...request, threads });
  // Only the engine that is trained has a directory, `engine/` in the run directory.
  if (directory === undefined) return engine;
  mkdirSync(directory, { recursive: true });
  return recordCalls(engine, (call, items, ms) =>
    appendFileSync(join(directory, "calls.jsonl"), `${JSON.stringify({ call, items, ms })}\n`),
  );
};

export default makeEngine;
