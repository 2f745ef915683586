import { describe, expect, test } from "vitest";
import { BowlineError } from "../../../core/index.ts";
import { add } from "./elementwise.ts";
import { Graph } from "./graph.ts";
import {
  knownProviders,
  PROVIDERS,
  type Provider,
  requireProvider,
  setProvider,
} from "./provider.ts";
import { Session, tensor } from "./session.ts";

const tryProvider = async (provider: Provider) =>
  requireProvider(provider).then(
    () => "works" as const,
    (error: unknown) => error,
  );

describe("execution providers", () => {
  test("the CPU provider is always available", async () => {
    expect(knownProviders()).toContain("cpu");
    expect(await tryProvider("cpu")).toBe("works");
  });

  // The CPU comes last because its session starts the runtime with its usual log, and the rejections should stay
  // quiet.
  test.each(PROVIDERS.toReversed())(
    "the provider %s either runs a graph or is rejected by an error that names it",
    async (provider) => {
      const found = await tryProvider(provider);
      if (found !== "works") {
        expect(BowlineError.is(found) && found.code).toBe("config");
        const { message } = found as BowlineError;
        expect(message).toContain(
          `engine.provider: ${provider} cannot be used on ${process.platform}`,
        );
        expect(message).toMatch(/what works here: cpu/);
        expect(message).not.toMatch(/\n|\.cc:/);
        return;
      }
      const graph = new Graph("sum");
      const x = graph.addInput("x", "float32", [2]);
      graph.addOutput("y", add(x, x));
      setProvider(provider);
      try {
        const session = await Session.create(graph);
        const { y } = await session.run({ x: tensor(Float32Array.of(1, 2.5), [2]) });
        expect([...(y as Float32Array)]).toEqual([2, 5]);
        await session.close();
      } finally {
        setProvider("cpu");
      }
    },
  );

  test.runIf(process.platform === "linux")(
    "on Linux the error says that this build has no coreml",
    async () => {
      expect(await tryProvider("coreml")).toMatchObject({
        message: expect.stringContaining("this build of ONNX Runtime has no coreml"),
      });
    },
  );
});
