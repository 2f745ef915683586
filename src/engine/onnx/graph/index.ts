/** The graph builder: values, operations with derivatives, sessions. */
export * from "./broadcast.ts";
export * from "./elementwise.ts";
export * from "./gradients.ts";
export * from "./graph.ts";
export {
  INSTALL_KERNELS,
  type KernelState,
  kernelState,
  type Tensor,
  type TensorData,
} from "./kernels.ts";
export * from "./layout.ts";
export * from "./linear.ts";
export * from "./normalize.ts";
export * from "./provider.ts";
export * from "./session.ts";
export { sameShape } from "./shapes.ts";
