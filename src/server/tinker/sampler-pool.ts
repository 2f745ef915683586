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

interface Place {
  readonly shape: string;
  key: string;
  engine: Promise<Engine>;
  users: number;
  lastUse: number;
  /** Something went wrong in it: nobody else gets it. */
  spoiled: boolean;
}

const BASE = "base";

export class SamplerPool {
  readonly #options: SamplerPoolOptions;
  readonly #places = new Set<Place>();
  #turn: Promise<unknown> = Promise.resolve();
  #onFree: (() => void) | undefined;
  #uses = 0;
  #closed = false;

  constructor(options: SamplerPoolOptions) {
    this.#options = options;
  }

  /** Runs with an engine that holds these weights. Several may run on one engine at once. */
  async use<T>(
    weights: FrozenWeights | undefined,
    run: (engine: Engine) => Promise<T>,
  ): Promise<T> {
    const turn = this.#turn.then(() => this.#take(weights));
    this.#turn = turn.catch(() => {});
    const place = await turn;
    try {
      return await run(await place.engine);
    } catch (error) {
      place.spoiled = true;
      throw error;
    } finally {
      place.users -= 1;
      await this.#settle(place);
    }
  }

  /** Waits until nobody samples, then ends all engines. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#places];
    this.#places.clear();
    await Promise.all(all.map(({ engine }) => endOf(engine)));
  }

  async #take(weights: FrozenWeights | undefined): Promise<Place> {
    for (;;) {
      if (this.#closed) throw new Error("the samplers are closed");
      const place = this.#held(weights) ?? this.#changed(weights);
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

  #held(weights: FrozenWeights | undefined): Place | undefined {
    const key = weights?.directory ?? BASE;
    return [...this.#places].find((place) => !place.spoiled && place.key === key);
  }

  /** A place for weights that no engine holds; undefined while all are busy. */
  #changed(weights: FrozenWeights | undefined): Place | undefined {
    const shape = shapeOf(weights);
    const idle = [...this.#places]
      .filter(({ users }) => users === 0)
      .sort((a, b) => a.lastUse - b.lastUse);
    const alike = idle.find((place) => place.shape === shape && !place.spoiled);
    const full = this.#places.size >= this.#options.size;
    if (weights && alike && full) {
      const { directory } = weights;
      alike.key = directory;
      alike.engine = alike.engine.then((engine) => filled(engine, directory));
      return watched(alike);
    }
    if (full && idle.length === 0) return undefined;
    const before = full ? this.#remove(idle[0]!) : Promise.resolve();
    const place: Place = {
      shape,
      key: weights?.directory ?? BASE,
      engine: before.then(() => this.#create(weights)),
      users: 0,
      lastUse: 0,
      spoiled: false,
    };
    this.#places.add(place);
    return watched(place);
  }

  async #create(weights: FrozenWeights | undefined): Promise<Engine> {
    const engine = await this.#options.createEngine(weights);
    if (weights === undefined) return engine;
    try {
      return await filled(engine, weights.directory);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  async #settle(place: Place): Promise<void> {
    const gone = place.spoiled && place.users === 0 ? this.#remove(place) : undefined;
    this.#onFree?.();
    await gone;
  }

  async #remove(place: Place): Promise<void> {
    this.#places.delete(place);
    await endOf(place.engine);
  }
}

/** Whoever uses a place learns of its failure; nobody else has to. */
function watched(place: Place): Place {
  place.engine.catch(() => {});
  return place;
}

async function filled(engine: Engine, directory: string): Promise<Engine> {
  await engine.load(directory);
  return engine;
}

async function endOf(engine: Promise<Engine>): Promise<void> {
  const started = await engine.catch(() => undefined);
  await started?.close();
}

function shapeOf(weights: FrozenWeights | undefined): string {
  if (weights === undefined || weights.rank === 0) return "full";
  return JSON.stringify([weights.rank, weights.trainMlp, weights.trainAttention]);
}
