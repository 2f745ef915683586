/** Measures the machine's peak: a square matrix product by the same kernels that training uses. */
import { Graph, matmul, Session, tensor } from "../graph/index.ts";

/** The number of products per measurement, so that one interruption does not decide. */
const PRODUCTS_PER_MEASUREMENT = 8;

/**
 * Prepares a benchmark of products (size, size) @ (size, size) of float32. `measure` returns the best of a few
 * products in 10^9 floating point operations per second (2 size^3 each), and can alternate with other measurements.
 */
export async function benchmarkMatrixProduct(
  size: number,
  threads: number,
): Promise<{ readonly measure: () => Promise<number>; readonly close: () => Promise<void> }> {
  const graph = new Graph("product");
  const a = graph.addInput("a", "float32", [size, size]);
  const b = graph.addInput("b", "float32", [size, size]);
  // The graph returns one number, because outputs are copied and the copy should not be measured.
  const product = matmul(a, b);
  const corner = graph.emit("ReduceMax", [product], [{ dtype: "float32", shape: [] }], {
    attributes: { keepdims: { int: 0 } },
  })[0]!;
  graph.addOutput("corner", corner);
  const session = await Session.create(graph, { threads });
  const values = Float32Array.from({ length: size * size }, (_, i) => ((i * 7919) % 13) / 13);
  const feeds = { a: tensor(values, [size, size]), b: tensor(values, [size, size]) };
  const measure = async () => {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < PRODUCTS_PER_MEASUREMENT; i++) {
      const start = performance.now();
      await session.run(feeds);
      best = Math.min(best, performance.now() - start);
    }
    return (2 * size ** 3) / (best * 1e6);
  };
  return { measure, close: () => session.close() };
}
