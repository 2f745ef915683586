/** The optional package `onnxruntime-node` has what we declare of it, and without it one line says what to do. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { BowlineError } from "../../../core/index.ts";
import {
  checkOnnxRuntime,
  getOnnxRuntime,
  INSTALL_ONNX_RUNTIME,
  loadOnnxRuntime,
  type OnnxRuntime,
} from "./onnx-runtime.ts";

const catchLoadError = (message: string): BowlineError => {
  try {
    loadOnnxRuntime(() => {
      throw new Error(message);
    });
  } catch (error) {
    return error as BowlineError;
  }
  throw new Error("loading did not throw");
};

test("onnxruntime-node exports what our declaration of it says", async () => {
  const real: OnnxRuntime = await import("onnxruntime-node");
  expect(getOnnxRuntime().InferenceSession).toBe(real.InferenceSession);
  expect(checkOnnxRuntime()).toMatchObject({
    installed: true,
    version: expect.stringMatching(/^1\./),
    providers: expect.arrayContaining(["cpu"]),
  });
});

test("without onnxruntime-node, one line says what is missing and which command installs it", () => {
  const error = catchLoadError("Cannot find module 'onnxruntime-node'\nRequire stack:\n- a.js");
  expect(error.code).toBe("engine");
  expect(error.message).toBe(
    `the embedded engine (engine.name onnx) needs the kernels of ONNX Runtime, and onnxruntime-node is not installed; install them with: ${INSTALL_ONNX_RUNTIME}`,
  );
});

test("the error distinguishes a missing package from a package whose binary is missing or broken", () => {
  const why = "Cannot find module '../bin/napi-v6/linux/x64/onnxruntime_binding.node'";
  const { message } = catchLoadError(`${why}\nRequire stack:\n- binding.js`);
  expect(message).toContain(`onnxruntime-node cannot be loaded (${why}); install them with`);
  expect(message).not.toContain("\n");
});

test("the install command uses the version in package.json, where the package is only an optional dependency", () => {
  const manifest = JSON.parse(
    readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"),
  );
  const [, version] = /onnxruntime-node@(\S+)$/.exec(INSTALL_ONNX_RUNTIME)!;
  expect(manifest.optionalDependencies["onnxruntime-node"]).toBe(`^${version}.0`);
  expect(manifest.dependencies["onnxruntime-node"]).toBeUndefined();
});
