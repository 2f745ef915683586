/**
 * An engine of one's own: one that passes everything on to another and writes down every call, with how much it was asked
 * and how long it took. An engine for other hardware is written the same way, with `sample`, `accumulate`, ... of its own.
 *
 *     bowline train smoke --engine ./examples/my-engine.ts --engine.options '{"file":"calls.jsonl"}'
 */
import { appendFileSync } from "node:fs";
import { createEngine, type Engine, forwardedEngine, type MakeEngine } from "bowline";

type Call = "sample" | "evaluate" | "accumulate" | "update" | "publish" | "save" | "load";

/** Any engine, with `note` called after each call: its name, the items of its first argument, milliseconds. */
export function recorded(
  engine: Engine,
  note: (call: Call, items: number, ms: number) => void,
): Engine {
  const timed =
    <A extends unknown[], R>(call: Call, work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const start = performance.now();
      const result = await work(...args);
      note(call, Array.isArray(args[0]) ? args[0].length : 0, performance.now() - start);
      return result;
    };
  const plain = forwardedEngine(engine);
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
const make: MakeEngine = async (request) => {
  const { file = "calls.jsonl", threads = request.threads } = request.options ?? {};
  const engine = await createEngine("onnx", { ...request, threads: Number(threads) });
  return recorded(engine, (call, items, ms) =>
    appendFileSync(String(file), `${JSON.stringify({ call, items, ms: Math.round(ms) })}\n`),
  );
};

export default make;
