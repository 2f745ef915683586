/** Makes all graphs and sessions of a test file run on WebGPU. It is a setup file of vitest.webgpu.config.ts. */
import { setProvider } from "../../src/engine/onnx/graph/index.ts";

setProvider("webgpu");
