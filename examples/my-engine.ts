/**
 * An engine of one's own: one that passes everything on to another, and writes down in `engine/calls.jsonl` of the run what
 * it was asked and how long it took. One for other hardware has its own `sample`, `accumulate`, ... instead.
 *
 *     bowline train smoke --engine ./examples/my-engine.ts --engine.options '{"threads":1}'
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createEngine, createForwardingEngine, type Engine, type MakeEngine } from "bowline";

type CallName = "sample" | "evaluate" | "accumulate" | "update" | "publish" | "save" | "load";

/** Any engine, with `note` called after each call: its name, the items of its first argument, milliseconds. */
export function recordCalls(
  engine: Engine,
  note: (call: CallName, items: number, ms: number) => void,
): Engine {
  const timed =
    <A extends unknown[], R>(call: CallName, work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const start = performance.now();
      const result = await work(...args);
      note(
        call,
        Array.isArray(args[0]) ? args[0].length : 0,
        Math.round(performance.now() - start),
      );
      return result;
    };
  const plain = createForwardingEngine(engine);
  return {
    ...plain,
    info: { ...engine.info, name: `recorded ${engine.info.name}` },
    sample: timed("sample", plain.sample),
    evaluate: timed("evaluate", plain.evaluate),
    accumulate: timed("accumulate", plain.accumulate),
    update: timed("update", plain.update),
    publish: timed("publish", plain.publish),
    save: timed("save", plain.save),
    load: timed("load", plain.load),
  };
}

/** `request.options` is what the command line says under `--engine.options`. */
const makeEngine: MakeEngine = async (request) => {
  const { directory, options = {} } = request;
  const threads = Number(options["threads"] ?? request.threads);
  const engine = await createEngine("onnx", { ...request, threads });
  // Only the engine that is trained has a folder of its own, `engine/` of the run.
  if (directory === undefined) return engine;
  mkdirSync(directory, { recursive: true });
  return recordCalls(engine, (call, items, ms) =>
    appendFileSync(join(directory, "calls.jsonl"), `${JSON.stringify({ call, items, ms })}\n`),
  );
};

export default makeEngine;
