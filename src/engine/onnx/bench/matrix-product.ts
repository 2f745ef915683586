/** The machine's own peak: a square matrix product by the same kernels that training uses. */
import { Graph, matmul, Session, tensor } from "../graph/index.ts";

/** Products a measurement, so that one interruption does not decide. */
const PRODUCTS = 8;

/**
 * The best of a few products (size, size) @ (size, size) of float32, in 10^9 floating point operations a second
 * (2 size^3 each). Returns a function, so that measurements can alternate with others, and one that ends it.
 */
export async function matrixProductGflops(
  size: number,
  threads: number,
): Promise<{ readonly measure: () => Promise<number>; readonly close: () => Promise<void> }> {
  const graph = new Graph("product");
  const a = graph.addInput("a", "float32", [size, size]);
  const b = graph.addInput("b", "float32", [size, size]);
  // One number comes back: outputs are copied, and the copy is not what is measured.
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
    for (let i = 0; i < PRODUCTS; i++) {
      const start = performance.now();
      await session.run(feeds);
      best = Math.min(best, performance.now() - start);
    }
    return (2 * size ** 3) / (best * 1e6);
  };
  return { measure, close: () => session.close() };
}
