/** The graph builder: values, operations with derivatives, and sessions that run graphs. */
export * from "./broadcast.ts";
export * from "./device-memory.ts";
export { type DeviceTraffic, readDeviceTraffic } from "./device-traffic.ts";
export { endTurnOfThread, shareDeviceTurns } from "./device-turns.ts";
export * from "./elementwise.ts";
export * from "./gradients.ts";
export * from "./graph.ts";
export * from "./layout.ts";
export * from "./linear.ts";
export * from "./matrix-rows.ts";
export * from "./normalize.ts";
export {
  checkOnnxRuntime,
  INSTALL_ONNX_RUNTIME,
  type OnnxRuntimeStatus,
  type Tensor,
  type TensorData,
} from "./onnx-runtime.ts";
export * from "./provider.ts";
export {
  type DeviceMatrixUse,
  declareDeviceMatrix,
  declareQuantizedWeight,
  devicePlaneShapes,
  devicePlanes,
  type NibblePlane,
} from "./quantized-product.ts";
export {
  declareResident,
  markCopiesChanged,
  type ResidentOwner,
  readCopiesBack,
  residentCopy,
} from "./resident.ts";
export * from "./session.ts";
export { isSameShape } from "./shapes.ts";
