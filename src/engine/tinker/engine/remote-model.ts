/**
 * The model on the server, as something that does not go away.
 *
 * A server may restart, unload a model, lose a result or answer with NaN; the weights in its memory are then gone or
 * spoiled. What is needed to make them again is kept here: the last checkpoint, and every optimizer step and publication
 * since (weight-history.ts). A new model is built from the checkpoint, the log is done again, and whoever waited never knows.
 * So an optimizer step happens once in the history of the weights, however often it had to be sent.
 */
import { BowlineError } from "../../../core/index.ts";
import type { LoadOptions } from "../../../spec/index.ts";
import {
  TinkerError,
  type TinkerModel,
  type TinkerSampler,
  type TinkerSession,
  type TokenBounds,
} from "../client/index.ts";
import type { TinkerCheckpoint } from "./checkpoint.ts";
import { applyStep, type GradientStep } from "./gradient.ts";
import { HeldSamplers } from "./held-samplers.ts";
import type { ServerTraits } from "./server-traits.ts";
import { SessionKeeper } from "./session-keeper.ts";
import { WeightHistory } from "./weight-history.ts";

const MAX_REBUILDS = 8;

export interface RemoteOptions {
  readonly baseModel: string;
  readonly rank: number;
  readonly seed: number;
  readonly bounds: TokenBounds;
  readonly traits: ServerTraits;
  /** Samplers of so many published versions are kept, where the server's stay what they were. */
  readonly heldVersions: number;
  readonly openSession: () => Promise<TinkerSession>;
}

export class RemoteModel {
  readonly #options: RemoteOptions;
  readonly #sessions: SessionKeeper;
  readonly #samplers: HeldSamplers;
  #model: TinkerModel | undefined;
  /** Given up, but still in the server's memory, which has few places. */
  #abandoned: TinkerModel | undefined;
  /** Its calls are being answered from the journal: it was found, not made. */
  #isReplaying = false;
  readonly #history = new WeightHistory();
  #lastWork: Promise<unknown> = Promise.resolve();

  constructor(options: RemoteOptions, session: TinkerSession) {
    this.#options = options;
    this.#sessions = new SessionKeeper(options.openSession, session);
    this.#samplers = new HeldSamplers(options.traits.frozenSamplers ? options.heldVersions : 1);
  }

  get version(): number {
    return this.#history.version;
  }

  /** The newest sampler has the present weights. */
  get isPublished(): boolean {
    return this.#history.isPublished;
  }

  /** One piece of work after the other; each may be tried on several models until one lives long enough. */
  runInOrder<T>(work: (model: TinkerModel) => Promise<T>): Promise<T> {
    const done = this.#lastWork.then(() => this.#runWithRebuilds(work));
    this.#lastWork = done.catch(() => undefined);
    return done;
  }

  /** One optimizer step with the gradient of these rows; gives the gradient's norm where the server does. */
  async takeStep(step: GradientStep): Promise<number | undefined> {
    return this.runInOrder(async (model) => {
      try {
        const norm = await applyStep(model, step, this.#options.traits);
        this.#history.addStep(step);
        return norm;
      } catch (error) {
        this.#abandonModel(); // Its gradient is half there, or spoiled.
        throw error;
      }
    });
  }

  /** Gives the sampler the present weights. */
  async publish(): Promise<number> {
    return this.runInOrder(async (model) => {
      const sampler = await this.#createSampler(model);
      const version = this.#history.addPublication();
      this.#samplers.hold(version, sampler);
      return version;
    });
  }

  /** The sampler of a published version; made now where none was needed so far. */
  async getSampler(version: number): Promise<TinkerSampler> {
    const held = this.#samplers.find(version);
    if (held !== undefined) return held;
    return this.runInOrder(async (model) => {
      const made = this.#samplers.find(version);
      if (made !== undefined) return made;
      if (version !== this.version || !this.isPublished) {
        throw new BowlineError(
          "engine",
          version === this.version
            ? "sample: the weights have changed since they were published, and the server has lost the sampler; call publish() first"
            : `sample: policy version ${version} is no longer held; the newest is ${this.version}`,
        );
      }
      const sampler = await this.#createSampler(model);
      this.#samplers.hold(version, sampler);
      return sampler;
    });
  }

  /** A sampler that the server does not know any more is made again, from the weights that it had. */
  async replaceSampler(version: number, lost: TinkerSampler): Promise<TinkerSampler> {
    await this.runInOrder(async () => {
      if (this.#samplers.find(version) !== lost) return; // Somebody else was faster.
      this.#samplers.drop(version);
      if (version !== this.version || !this.isPublished) this.#abandonModel();
    });
    if (this.#model === undefined) await this.runInOrder(async () => undefined);
    return this.getSampler(version);
  }

  async openBaseSampler(): Promise<TinkerSampler> {
    return this.runInOrder(async () => {
      const session = await this.#sessions.getOrOpen();
      return session.openSampler({ baseModel: this.#options.baseModel }, this.#options.bounds);
    });
  }

  /** A named copy of the present weights that outlives the session, for a reference. */
  async saveForReference(name: string): Promise<string> {
    return this.runInOrder(async (model) => {
      const { path } = await model.saveForSampler({ name: `${name}-${model.epoch.slice(0, 8)}` });
      if (path) return path;
      throw new TinkerError("malformed", "/save_weights_for_sampler: a named save has no path");
    });
  }

  async openSavedSampler(modelPath: string): Promise<TinkerSampler> {
    return this.runInOrder(async () =>
      (await this.#sessions.getOrOpen()).openSampler({ modelPath }, this.#options.bounds),
    );
  }

  /** Saves weights and optimizer on the server; the redo log starts anew from here. */
  async save(): Promise<TinkerCheckpoint> {
    const { baseModel, rank } = this.#options;
    return this.runInOrder(async (model) => {
      const name = `bowline-${model.epoch.slice(0, 8)}-${this.#history.steps}-${model.nextSeq}`;
      const path = await model.saveWeights(name);
      const sampler = this.#samplers.find(this.version);
      const { id, epoch, nextSeq } = model;
      const session = this.#sessions.current!;
      const checkpoint: TinkerCheckpoint = {
        version: 1,
        baseModel,
        rank,
        path,
        policyVersion: this.version,
        published: this.isPublished,
        session: { id: session.id, counters: session.counters },
        model: { id, epoch, nextSeq },
        ...(sampler && { sampler: { id: sampler.id, epoch: sampler.epoch } }),
        steps: this.#history.steps,
      };
      this.#history.recordSave(checkpoint);
      return checkpoint;
    });
  }

  /**
   * Goes on from a checkpoint: on the model that was saved where `find` says that all it did since is on record, otherwise
   * on a new one. Fresh moments are those of a new one.
   */
  async load(
    checkpoint: TinkerCheckpoint,
    {
      moments,
      find: findSession,
    }: Required<LoadOptions> & { find: () => Promise<TinkerSession | undefined> },
  ): Promise<void> {
    const work = async () => {
      this.#abandonModel();
      this.#samplers.replaceAll(new Map());
      this.#history.recordLoad(checkpoint, moments);
      const session = moments === "kept" ? await findSession() : undefined;
      if (session !== undefined) this.#adoptSession(session, checkpoint);
    };
    const done = this.#lastWork.then(work);
    this.#lastWork = done.catch(() => undefined);
    await done;
    // Weights that cannot be loaded are told now.
    await this.runInOrder(async () => undefined);
  }

  /** `unload`: nobody will come back for the model. */
  async close(unloadModel: boolean): Promise<void> {
    if (unloadModel) {
      this.#abandonModel();
      await this.#unloadAbandoned();
    }
    this.#sessions.close();
  }

  #adoptSession(
    session: TinkerSession,
    { model, sampler, policyVersion, published }: TinkerCheckpoint,
  ) {
    this.#sessions.replaceWith(session);
    this.#model = session.attachModel(model, this.#options.bounds);
    this.#isReplaying = true;
    if (sampler && published) {
      this.#samplers.hold(
        policyVersion,
        session.attachSampler(sampler.id, sampler.epoch, this.#options.bounds),
      );
    }
  }

  async #runWithRebuilds<T>(work: (model: TinkerModel) => Promise<T>): Promise<T> {
    for (let rebuilds = 0; ; rebuilds++) {
      try {
        return await work(await this.#getOrRebuildModel());
      } catch (error) {
        if (!(await this.#sessions.isModelGone(error, this.#isReplaying))) throw error;
        if (TinkerError.is(error, "model-lost", "session-lost")) this.#model = undefined;
        this.#abandonModel();
        if (rebuilds >= MAX_REBUILDS) throw error;
      }
    }
  }

  /** The model that is there, or one that is made as it was. */
  async #getOrRebuildModel(): Promise<TinkerModel> {
    if (this.#sessions.isLost) this.#abandonModel();
    if (this.#model !== undefined) return this.#model;
    const { baseModel, rank, seed, bounds, traits } = this.#options;
    await this.#unloadAbandoned();
    const lora = { rank, seed };
    const model = await this.#sessions.createModel({ baseModel, lora, ...bounds });
    this.#abandoned = model; // Until it is as it was.
    const { checkpoint, log, moments } = this.#history;
    if (checkpoint) {
      await model.loadWeights(checkpoint.path, { optimizer: moments === "kept" });
    }
    const rebuiltSamplers = new Map<number, TinkerSampler>();
    // Of what was published before the checkpoint only the newest can be made again, and it is made when it is asked for.
    for (const entry of log) {
      if ("step" in entry) await applyStep(model, entry.step, traits);
      else if (this.#samplers.isKept(entry.publish, this.version)) {
        rebuiltSamplers.set(entry.publish, await this.#createSampler(model));
      }
    }
    this.#samplers.replaceAll(rebuiltSamplers);
    this.#abandoned = undefined;
    this.#model = model;
    return model;
  }

  async #unloadAbandoned(): Promise<void> {
    const abandoned = this.#abandoned;
    this.#abandoned = undefined;
    // A server that cannot, or has lost it, needs nothing.
    await abandoned?.unload().catch(() => undefined);
  }

  #abandonModel(): void {
    this.#abandoned = this.#model ?? this.#abandoned;
    this.#model = undefined;
    this.#isReplaying = false;
  }

  #createSampler(model: TinkerModel): Promise<TinkerSampler> {
    return this.#sessions.current!.createSampler(model, this.#options.bounds);
  }
}
