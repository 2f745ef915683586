/**
 * Keys and values of rows on the device: pools of equal rows, and the copies between them.
 *
 * Copies are written down when the cache decides them, and made by a few runs of one graph just before the next pass:
 * gather positions of one pool, scatter them into another in place. Nothing is read back. Of the copies only the
 * numbers of their first positions cross, eight bytes each.
 */
import {
  add,
  allocateOnDevice,
  cast,
  copyToDevice,
  freeOnDevice,
  Graph,
  gather,
  reshape,
  Session,
  type Tensor,
  tensor,
  viewOnDevice,
} from "../graph/index.ts";
import type { ModelConfig } from "../model/index.ts";

/** Keys and values (rows, heads, positions, head size) of every layer in tensors on the device. */
export class DevicePool {
  readonly positionsPerRow: number;
  /** The keys of layer 0, the values of layer 0, the keys of layer 1, and so on. */
  tensors: readonly Tensor[] = [];
  /** The rows for which the tensors have room. */
  rows = 0;

  constructor(positionsPerRow: number) {
    this.positionsPerRow = positionsPerRow;
  }
}

/** A position in a row of a pool. */
export interface PoolPlace {
  readonly pool: DevicePool;
  readonly row: number;
  readonly position: number;
}

interface PlannedCopy {
  readonly from: PoolPlace;
  readonly to: PoolPlace;
  readonly count: number;
}

interface PlannedResize {
  readonly pool: DevicePool;
  readonly kept: number;
  readonly rows: number;
}

/** Makes pools and moves what is in them. */
export class DeviceKeyValues {
  readonly #config: ModelConfig;
  readonly #planned: (PlannedCopy | PlannedResize)[] = [];
  /** What graphs return before it is copied to its rows, by the positions of a row. */
  readonly #outputs = new Map<number, DevicePool>();
  /** A row through which two rows of a pool are exchanged, by the positions of a row. */
  readonly #spares = new Map<number, DevicePool>();
  /** Where the heads and positions of a copy lie after its first position. */
  readonly #offsets = new Map<string, Promise<Tensor>>();
  #copying: Promise<Session> | undefined;
  #moving: Promise<Session> | undefined;

  constructor(config: ModelConfig) {
    this.#config = config;
  }

  /** Plans to copy `count` positions of every head and layer. */
  planCopy(from: PoolPlace, to: PoolPlace, count: number): void {
    this.#planned.push({ from, to, count });
  }

  /** Plans to give a pool room for `rows` rows, of which the first `kept` keep their contents. */
  planResize(pool: DevicePool, kept: number, rows: number): void {
    this.#planned.push({ pool, kept, rows });
  }

  /** Plans to exchange two rows of a pool. Where nothing in row `b` is needed, row `a` is only copied there. */
  planSwap(pool: DevicePool, a: number, b: number, isBNeeded: boolean): void {
    const count = pool.positionsPerRow;
    const [rowA, rowB] = [a, b].map((row) => ({ pool, row, position: 0 })) as [
      PoolPlace,
      PoolPlace,
    ];
    if (!isBNeeded) {
      this.planCopy(rowA, rowB, count);
      return;
    }
    const spare = { pool: this.#getPool(this.#spares, count, 1), row: 0, position: 0 };
    this.planCopy(rowB, spare, count);
    this.planCopy(rowA, rowB, count);
    this.planCopy(spare, rowA, count);
  }

  /** Returns the pool into which a graph writes its output. The next pass writes over it. */
  async getOutputs(positionsPerRow: number, rows: number): Promise<DevicePool> {
    const pool = this.#getPool(this.#outputs, positionsPerRow, rows);
    await this.finish();
    return pool;
  }

  /** Makes everything that was planned. A graph may read pools only then. */
  async finish(): Promise<void> {
    let copies: PlannedCopy[] = [];
    for (const step of this.#planned.splice(0)) {
      if ("count" in step) {
        copies.push(step);
        continue;
      }
      await this.#runCopies(copies);
      copies = [];
      await this.#resize(step);
    }
    await this.#runCopies(copies);
  }

  /** Plans to free a pool. */
  planFree(pool: DevicePool): void {
    this.planResize(pool, 0, 0);
  }

  async close(): Promise<void> {
    for (const pool of [...this.#outputs.values(), ...this.#spares.values()]) this.planFree(pool);
    await this.finish();
    for (const session of [this.#copying, this.#moving]) await (await session)?.close();
  }

  #getPool(pools: Map<number, DevicePool>, positionsPerRow: number, rows: number): DevicePool {
    const pool = pools.get(positionsPerRow) ?? new DevicePool(positionsPerRow);
    pools.set(positionsPerRow, pool);
    if (pool.rows < rows) {
      this.planResize(pool, 0, rows);
      pool.rows = rows;
    }
    return pool;
  }

  async #resize({ pool, kept, rows }: PlannedResize): Promise<void> {
    const { kvHeads, headSize, layers } = this.#config;
    const row = [kvHeads, pool.positionsPerRow, headSize];
    const old = pool.tensors;
    const tensors: Tensor[] = [];
    for (let i = 0; i < 2 * layers && rows > 0; i++) {
      tensors.push(await allocateOnDevice([rows, ...row]));
    }
    if (kept > 0) {
      this.#moving ??= Session.create(buildMoveGraph(this.#config));
      const dims = [kept, ...row];
      const views = (list: readonly Tensor[], name: string) =>
        Object.fromEntries(list.map((each, i) => [`${name}.${i}`, viewOnDevice(each, dims)]));
      await (await this.#moving).run(views(old, "source"), undefined, views(tensors, "moved"));
    }
    for (const each of old) freeOnDevice(each);
    pool.tensors = tensors;
  }

  async #runCopies(copies: readonly PlannedCopy[]): Promise<void> {
    for (const round of splitIntoRounds(copies)) {
      for (const group of groupBySizes(round)) await this.#runGroup(group);
    }
  }

  async #runGroup(group: readonly PlannedCopy[]): Promise<void> {
    const { from, to, count } = group[0]!;
    const { kvHeads, headSize } = this.#config;
    this.#copying ??= Session.create(buildCopyGraph(this.#config));
    const flat = (pool: DevicePool, name: string) =>
      Object.fromEntries(
        pool.tensors.map((each, i) => {
          const positions = each.dims.slice(0, -1).reduce((a, b) => a * b, 1);
          return [`${name}.${i}`, viewOnDevice(each, [positions, headSize])];
        }),
      );
    const first = (pick: (copy: PlannedCopy) => PoolPlace) => {
      const positions = group.map((copy) => {
        const { pool, row, position } = pick(copy);
        return row * kvHeads * pool.positionsPerRow + position;
      });
      return tensor(Int32Array.from(positions), [group.length, 1]);
    };
    const targets = flat(to.pool, "target");
    const written = Object.values(targets).map((each, i) => [`copied.${i}`, each] as const);
    const feeds = {
      ...flat(from.pool, "source"),
      ...targets,
      from: first((copy) => copy.from),
      to: first((copy) => copy.to),
      fromOffsets: await this.#getOffsets(from.pool.positionsPerRow, count),
      toOffsets: await this.#getOffsets(to.pool.positionsPerRow, count),
    };
    await (await this.#copying).run(feeds, undefined, Object.fromEntries(written));
  }

  /** Returns the places of `count` positions of every head, counted from the first: int32 (1, heads * count). */
  #getOffsets(positionsPerRow: number, count: number): Promise<Tensor> {
    const key = `${positionsPerRow} ${count}`;
    const known = this.#offsets.get(key);
    if (known) return known;
    const { kvHeads } = this.#config;
    const places = Int32Array.from(
      { length: kvHeads * count },
      (_, i) => Math.floor(i / count) * positionsPerRow + (i % count),
    );
    const offsets = copyToDevice(tensor(places, [1, places.length]));
    this.#offsets.set(key, offsets);
    return offsets;
  }
}

/**
 * Cuts copies into rounds so that a copy comes in a later round than one that writes what it reads, or touches what it
 * writes. Within a round the order does not matter.
 */
function splitIntoRounds(copies: readonly PlannedCopy[]): PlannedCopy[][] {
  const rounds: PlannedCopy[][] = [];
  const lastWrites = new Map<DevicePool, Map<number, number>>();
  const lastReads = new Map<DevicePool, Map<number, number>>();
  const lastOf = (uses: typeof lastReads, { pool, row }: PoolPlace) =>
    uses.get(pool)?.get(row) ?? -1;
  const record = (uses: typeof lastReads, { pool, row }: PoolPlace, round: number) => {
    const own = uses.get(pool) ?? new Map<number, number>();
    uses.set(pool, own.set(row, Math.max(round, own.get(row) ?? -1)));
  };
  for (const copy of copies) {
    const { from, to } = copy;
    const round =
      1 + Math.max(lastOf(lastWrites, from), lastOf(lastWrites, to), lastOf(lastReads, to));
    record(lastReads, from, round);
    record(lastWrites, to, round);
    const known = rounds[round];
    if (known) known.push(copy);
    else rounds[round] = [copy];
  }
  return rounds;
}

function groupBySizes(copies: readonly PlannedCopy[]): PlannedCopy[][] {
  const groups: PlannedCopy[][] = [];
  for (const copy of copies) {
    const group = groups.find(
      ([first]) =>
        first!.from.pool === copy.from.pool &&
        first!.to.pool === copy.to.pool &&
        first!.count === copy.count,
    );
    if (group) group.push(copy);
    else groups.push([copy]);
  }
  return groups;
}

/**
 * Builds the graph that copies positions. Inputs: `from` and `to` int32 (copies, 1), the first positions;
 * `fromOffsets` and `toOffsets` int32 (1, n), the others counted from them; `source.<i>` and `target.<i>` (positions,
 * head size). Outputs: `copied.<i>`, the target with the positions of the source.
 */
function buildCopyGraph({ layers, headSize }: ModelConfig): Graph {
  const graph = new Graph("copy positions");
  const [from, to] = (["from", "to"] as const).map((name) => {
    const first = graph.addInput(name, "int32", ["copies", 1]);
    const offsets = graph.addInput(`${name}Offsets`, "int32", [1, "n"]);
    return reshape(add(first, offsets), ["copies*n"]);
  });
  const indices = cast(reshape(to!, ["copies*n", 1]), "int64");
  for (let i = 0; i < 2 * layers; i++) {
    const source = graph.addInput(`source.${i}`, "float32", ["from positions", headSize]);
    const target = graph.addInput(`target.${i}`, "float32", ["to positions", headSize]);
    const inputs = [target, indices, gather(source, from!)];
    graph.addOutput(`copied.${i}`, graph.emit("ScatterND", inputs, [target])[0]!);
  }
  return graph;
}

/** Builds the graph that copies whole tensors: `source.<i>` to `moved.<i>`. */
function buildMoveGraph({ layers, kvHeads, headSize }: ModelConfig): Graph {
  const graph = new Graph("move rows");
  const shape = ["rows", kvHeads, "positions", headSize];
  for (let i = 0; i < 2 * layers; i++) {
    graph.addOutput(`moved.${i}`, graph.addInput(`source.${i}`, "float32", shape));
  }
  return graph;
}
