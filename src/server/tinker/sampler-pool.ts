/**
 * Engines that only sample, each with one set of frozen weights in it.
 *
 * A sampling session keeps its weights whatever is trained meanwhile, so it cannot share the trainer's engine. Its weights
 * lie on disk; an engine of the pool reads them when they are asked for, and the set that was idle longest gives way.
 * The price: every place of the pool is a worker with its own copy of the base's weights and its own cache, and changing
 * from one set to another of the same shape costs reading an adapter (or, in full training, a whole model).
 * Requests are served in order of arrival, so a busy set cannot keep another from its turn.
 */
import type { Engine } from "../../spec/index.ts";
import type { FrozenWeights } from "./backend.ts";

export interface SamplerPoolOptions {
  /** Engines at a time. */
  readonly size: number;
  /** An engine of the base model with room for an adapter of this shape; undefined: the base model itself. */
  createEngine(shape: FrozenWeights | undefined): Promise<Engine>;
}

interface EngineSlot {
  readonly shape: string;
  key: string;
  engine: Promise<Engine>;
  users: number;
  lastUse: number;
  /** Something went wrong in it: nobody else gets it. */
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

  /** Runs with an engine that holds these weights. Several may run on one engine at once. */
  async runWithWeights<T>(
    weights: FrozenWeights | undefined,
    run: (engine: Engine) => Promise<T>,
  ): Promise<T> {
    const turn = this.#lastTurn.then(() => this.#acquireSlot(weights));
    this.#lastTurn = turn.catch(() => {});
    const place = await turn;
    try {
      return await run(await place.engine);
    } catch (error) {
      place.spoiled = true;
      throw error;
    } finally {
      place.users -= 1;
      await this.#releaseSlot(place);
    }
  }

  /** Waits until nobody samples, then ends all engines. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#slots];
    this.#slots.clear();
    await Promise.all(all.map(({ engine }) => closeEngine(engine)));
  }

  async #acquireSlot(weights: FrozenWeights | undefined): Promise<EngineSlot> {
    for (;;) {
      if (this.#closed) throw new Error("the samplers are closed");
      const place = this.#findHeld(weights) ?? this.#prepareSlot(weights);
      if (place) {
        place.users += 1;
        place.lastUse = ++this.#uses;
        return place;
      }
      await new Promise<void>((resolve) => {
        this.#onFree = resolve;
      });
    }
  }

  #findHeld(weights: FrozenWeights | undefined): EngineSlot | undefined {
    const key = weights?.directory ?? BASE_KEY;
    return [...this.#slots].find((place) => !place.spoiled && place.key === key);
  }

  /** A place for weights that no engine holds; undefined while all are busy. */
  #prepareSlot(weights: FrozenWeights | undefined): EngineSlot | undefined {
    const shape = shapeKey(weights);
    const idle = [...this.#slots]
      .filter(({ users }) => users === 0)
      .sort((a, b) => a.lastUse - b.lastUse);
    const sameShape = idle.find((place) => place.shape === shape && !place.spoiled);
    const full = this.#slots.size >= this.#options.size;
    if (weights && sameShape && full) {
      const { directory } = weights;
      sameShape.key = directory;
      sameShape.engine = sameShape.engine.then((engine) => loadWeights(engine, directory));
      return ignoreUnhandledFailure(sameShape);
    }
    if (full && idle.length === 0) return undefined;
    const before = full ? this.#removeSlot(idle[0]!) : Promise.resolve();
    const place: EngineSlot = {
      shape,
      key: weights?.directory ?? BASE_KEY,
      engine: before.then(() => this.#createLoadedEngine(weights)),
      users: 0,
      lastUse: 0,
      spoiled: false,
    };
    this.#slots.add(place);
    return ignoreUnhandledFailure(place);
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

  async #releaseSlot(place: EngineSlot): Promise<void> {
    const gone = place.spoiled && place.users === 0 ? this.#removeSlot(place) : undefined;
    this.#onFree?.();
    await gone;
  }

  async #removeSlot(place: EngineSlot): Promise<void> {
    this.#slots.delete(place);
    await closeEngine(place.engine);
  }
}

/** Whoever uses a place learns of its failure; nobody else has to. */
function ignoreUnhandledFailure(place: EngineSlot): EngineSlot {
  place.engine.catch(() => {});
  return place;
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
