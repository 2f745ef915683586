/** The contract that every engine must keep, on WebGPU. */
import { describeOnnxEngines } from "../contract/onnx-engines.ts";

describeOnnxEngines("webgpu", { batchRounding: 1e-5 });
