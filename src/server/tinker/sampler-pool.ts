/**
 * A pool of engines that only sample, each loaded with one set of frozen weights.
 *
 * A sampling session keeps its weights while training continues, so it cannot share the trainer's engine. Its weights
 * are on disk; an engine of the pool loads them when they are needed, in place of the set that was idle for the longest
 * time. Each slot of the pool is a worker with its own copy of the base weights and its own cache. Changing to another
 * set of the same shape costs reading an adapter (or, in full training, a whole model). Requests are served in order of
 * arrival, so a busy set cannot block the others.
 */
import type { Engine } from "../../spec/index.ts";
import type { FrozenWeights } from "./backend.ts";

export interface SamplerPoolOptions {
  /** The largest number of engines at the same time. */
  readonly size: number;
  /** Creates an engine of the base model. It has an adapter of this shape, or no adapter when `shape` is undefined. */
  createEngine(shape: FrozenWeights | undefined): Promise<Engine>;
}

interface EngineSlot {
  readonly shape: string;
  key: string;
  engine: Promise<Engine>;
  users: number;
  lastUse: number;
  /** True after an error, so that no other request uses this engine. */
  spoiled: boolean;
}

const BASE_KEY = "base";

export class SamplerPool {
  readonly #options: SamplerPoolOptions;
  readonly #slots = new Set<EngineSlot>();
  #lastTurn: Promise<unknown> = Promise.resolve();
  #onFree: (() => void) | undefined;
  #uses = 0;
  #closed = false;

  constructor(options: SamplerPoolOptions) {
    this.#options = options;
  }

  /** Calls `run` with an engine that holds these weights. Several calls may use one engine at once. */
  async runWithWeights<T>(
    weights: FrozenWeights | undefined,
    run: (engine: Engine) => Promise<T>,
  ): Promise<T> {
    const turn = this.#lastTurn.then(() => this.#acquireSlot(weights));
    this.#lastTurn = turn.catch(() => {});
    const slot = await turn;
    try {
      return await run(await slot.engine);
    } catch (error) {
      slot.spoiled = true;
      throw error;
    } finally {
      slot.users -= 1;
      await this.#releaseSlot(slot);
    }
  }

  /** Closes all engines. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#slots];
    this.#slots.clear();
    await Promise.all(all.map(({ engine }) => closeEngine(engine)));
  }

  async #acquireSlot(weights: FrozenWeights | undefined): Promise<EngineSlot> {
    for (;;) {
      if (this.#closed) throw new Error("the pool of sampling engines is closed");
      const slot = this.#findHeld(weights) ?? this.#prepareSlot(weights);
      if (slot) {
        slot.users += 1;
        slot.lastUse = ++this.#uses;
        return slot;
      }
      await new Promise<void>((resolve) => {
        this.#onFree = resolve;
      });
    }
  }

  #findHeld(weights: FrozenWeights | undefined): EngineSlot | undefined {
    const key = weights?.directory ?? BASE_KEY;
    return [...this.#slots].find((slot) => !slot.spoiled && slot.key === key);
  }

  /** Prepares a slot for weights that no engine holds. Returns undefined while all engines are busy. */
  #prepareSlot(weights: FrozenWeights | undefined): EngineSlot | undefined {
    const shape = shapeKey(weights);
    const idle = [...this.#slots]
      .filter(({ users }) => users === 0)
      .sort((a, b) => a.lastUse - b.lastUse);
    const sameShape = idle.find((slot) => slot.shape === shape && !slot.spoiled);
    const full = this.#slots.size >= this.#options.size;
    if (weights && sameShape && full) {
      const { directory } = weights;
      sameShape.key = directory;
      sameShape.engine = sameShape.engine.then((engine) => loadWeights(engine, directory));
      return ignoreUnhandledFailure(sameShape);
    }
    if (full && idle.length === 0) return undefined;
    const before = full ? this.#removeSlot(idle[0]!) : Promise.resolve();
    const slot: EngineSlot = {
      shape,
      key: weights?.directory ?? BASE_KEY,
      engine: before.then(() => this.#createLoadedEngine(weights)),
      users: 0,
      lastUse: 0,
      spoiled: false,
    };
    this.#slots.add(slot);
    return ignoreUnhandledFailure(slot);
  }

  async #createLoadedEngine(weights: FrozenWeights | undefined): Promise<Engine> {
    const engine = await this.#options.createEngine(weights);
    if (weights === undefined) return engine;
    try {
      return await loadWeights(engine, weights.directory);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  async #releaseSlot(slot: EngineSlot): Promise<void> {
    const gone = slot.spoiled && slot.users === 0 ? this.#removeSlot(slot) : undefined;
    this.#onFree?.();
    await gone;
  }

  async #removeSlot(slot: EngineSlot): Promise<void> {
    this.#slots.delete(slot);
    await closeEngine(slot.engine);
  }
}

/** Marks the engine's failure as handled, because the request that uses the slot reports it. */
function ignoreUnhandledFailure(slot: EngineSlot): EngineSlot {
  slot.engine.catch(() => {});
  return slot;
}

async function loadWeights(engine: Engine, directory: string): Promise<Engine> {
  await engine.load(directory);
  return engine;
}

async function closeEngine(engine: Promise<Engine>): Promise<void> {
  const started = await engine.catch(() => undefined);
  await started?.close();
}

function shapeKey(weights: FrozenWeights | undefined): string {
  if (weights === undefined || weights.rank === 0) return "full";
  return JSON.stringify([weights.rank, weights.trainMlp, weights.trainAttention]);
}
