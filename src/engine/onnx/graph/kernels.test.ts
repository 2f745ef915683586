/** The optional part: what we ask of it is what it is, and without it there is one line that says what to do. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { BowlineError } from "../../../core/index.ts";
import { INSTALL_KERNELS, type Kernels, kernelState, kernels, loadKernels } from "./kernels.ts";

const refusal = (message: string): BowlineError => {
  try {
    loadKernels(() => {
      throw new Error(message);
    });
  } catch (error) {
    return error as BowlineError;
  }
  throw new Error("nothing was refused");
};

test("the package is what is declared of it", async () => {
  const real: Kernels = await import("onnxruntime-node");
  expect(kernels().InferenceSession).toBe(real.InferenceSession);
  expect(kernelState()).toMatchObject({
    installed: true,
    version: expect.stringMatching(/^1\./),
    providers: expect.arrayContaining(["cpu"]),
  });
});

test("without it, one line says what is missing and which command installs it", () => {
  const error = refusal("Cannot find module 'onnxruntime-node'\nRequire stack:\n- a.js");
  expect(error.code).toBe("engine");
  expect(error.message).toBe(
    `the embedded engine (engine.name onnx) needs the kernels of ONNX Runtime, and onnxruntime-node is not installed; install them with: ${INSTALL_KERNELS}`,
  );
});

test("a package whose binary is missing or broken is told apart", () => {
  const why = "Cannot find module '../bin/napi-v6/linux/x64/onnxruntime_binding.node'";
  const { message } = refusal(`${why}\nRequire stack:\n- binding.js`);
  expect(message).toContain(`onnxruntime-node cannot be loaded (${why}); install them with`);
  expect(message).not.toContain("\n");
});

test("the command installs what package.json asks for, and nothing else depends on it", () => {
  const manifest = JSON.parse(
    readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"),
  );
  const [, version] = /onnxruntime-node@(\S+)$/.exec(INSTALL_KERNELS)!;
  expect(manifest.optionalDependencies["onnxruntime-node"]).toBe(`^${version}.0`);
  expect(manifest.dependencies["onnxruntime-node"]).toBeUndefined();
});
