/**
 * A model on the server that is rebuilt when the server loses it.
 *
 * A server may restart, unload a model, lose a result or answer with NaN; the weights in its memory are then gone or
 * spoiled. This class keeps what it takes to make them again: the last checkpoint, and each optimizer step and
 * publication since (weight-history.ts). It then makes a new model from the checkpoint and repeats the log, and the
 * caller only waits longer. So an optimizer step happens once in the history of the weights, however often it was sent.
 */
import { BowlineError } from "../../../core/index.ts";
import type { LoadOptions } from "../../../spec/index.ts";
import {
  type Deadline,
  TinkerError,
  type TinkerErrorKind,
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

/**
 * How often a model is rebuilt because of an answer, such as NaN or a number that is taken. For what the server has lost
 * there is a deadline instead (`RetryPolicy.recoveryMs`).
 */
const MAX_REBUILDS_AFTER_ANSWERS = 8;

/** The kinds of errors with which the server answers the call itself. */
const ANSWERED_KINDS: readonly TinkerErrorKind[] = [
  "conflict",
  "non-finite",
  "failed",
  "malformed",
];

export interface RemoteOptions {
  readonly baseModel: string;
  readonly rank: number;
  readonly seed: number;
  readonly bounds: TokenBounds;
  readonly traits: ServerTraits;
  /** How many published versions keep a sampler, on servers whose samplers keep their weights. */
  readonly heldVersions: number;
  readonly openSession: () => Promise<TinkerSession>;
  /** Returns the deadline of one operation that gets back what the server has lost. */
  readonly startRecovery: () => Deadline;
}

export class RemoteModel {
  readonly #options: RemoteOptions;
  readonly #sessions: SessionKeeper;
  readonly #samplers: HeldSamplers;
  #model: TinkerModel | undefined;
  /** A model that is no longer used but still takes one of the few places in the server's memory. */
  #abandoned: TinkerModel | undefined;
  /** True when the model was found by a checkpoint, so that its first calls are answered from the journal. */
  #isReplaying = false;
  readonly #history = new WeightHistory();
  #lastWork: Promise<unknown> = Promise.resolve();

  constructor(options: RemoteOptions, session: TinkerSession) {
    this.#options = options;
    this.#sessions = new SessionKeeper(options.openSession, session);
    this.#samplers = new HeldSamplers(options.traits.frozenSamplers ? options.heldVersions : 1);
  }

  startRecovery(): Deadline {
    return this.#options.startRecovery();
  }

  get version(): number {
    return this.#history.version;
  }

  /** True when the newest sampler has the present weights. */
  get isPublished(): boolean {
    return this.#history.isPublished;
  }

  /**
   * Runs pieces of work one after the other. When the model is lost during the work, the work is repeated on a new
   * model.
   */
  runInOrder<T>(work: (model: TinkerModel) => Promise<T>): Promise<T> {
    const done = this.#lastWork.then(() => this.#runWithRebuilds(work));
    this.#lastWork = done.catch(() => undefined);
    return done;
  }

  /**
   * Takes one optimizer step with the gradient of the step's rows. Returns the gradient's norm if the server reports
   * it.
   */
  async takeStep(step: GradientStep): Promise<number | undefined> {
    return this.runInOrder(async (model) => {
      try {
        const norm = await applyStep(model, step, this.#options.traits);
        this.#history.addStep(step);
        return norm;
      } catch (error) {
        this.#abandonModel(); // The gradient on the server may be incomplete or spoiled.
        throw error;
      }
    });
  }

  /** Makes a sampler of the present weights and returns its policy version. */
  async publish(): Promise<number> {
    return this.runInOrder(async (model) => {
      const sampler = await this.#createSampler(model);
      const version = this.#history.addPublication();
      this.#samplers.add(version, sampler);
      return version;
    });
  }

  /** Returns the sampler of a published version. A sampler that is missing is made from the present weights. */
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
            ? "sample: the server has lost the sampler, and the weights have changed since they were published; call publish() first"
            : `sample: policy version ${version} is no longer held; the newest is ${this.version}`,
        );
      }
      const sampler = await this.#createSampler(model);
      this.#samplers.add(version, sampler);
      return sampler;
    });
  }

  /** Makes a lost sampler again, with the weights that it had. */
  async replaceSampler(version: number, lost: TinkerSampler): Promise<TinkerSampler> {
    await this.runInOrder(async () => {
      if (this.#samplers.find(version) !== lost) return; // Another call has already replaced it.
      this.#samplers.remove(version);
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

  /** Saves the present weights as a reference that outlives the session. Returns the path on the server. */
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

  /** Saves weights and optimizer on the server. The redo log is emptied. */
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
   * Continues from a checkpoint. When `find` returns a session, all later calls of the saved model are in the journal,
   * and the model itself is continued. Otherwise, or with fresh moments, a new model loads the checkpoint's weights.
   */
  async load(
    checkpoint: TinkerCheckpoint,
    {
      moments,
      find: findSession,
    }: Required<LoadOptions> & { find: () => Promise<TinkerSession | undefined> },
  ): Promise<void> {
    const loadCheckpoint = async () => {
      this.#abandonModel();
      this.#samplers.replaceAll(new Map());
      this.#history.recordLoad(checkpoint, moments);
      const session = moments === "kept" ? await findSession() : undefined;
      if (session !== undefined) this.#adoptSession(session, checkpoint);
    };
    const done = this.#lastWork.then(loadCheckpoint);
    this.#lastWork = done.catch(() => undefined);
    await done;
    // This makes the model now, so that weights that cannot be loaded throw here.
    await this.runInOrder(async () => undefined);
  }

  /**
   * Closes the session. With `unloadModel`, the server also frees the model, because no later process will continue it.
   */
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
      this.#samplers.add(
        policyVersion,
        session.attachSampler(sampler.id, sampler.epoch, this.#options.bounds),
      );
    }
  }

  async #runWithRebuilds<T>(work: (model: TinkerModel) => Promise<T>): Promise<T> {
    const recovery = this.startRecovery();
    let answers = 0;
    for (;;) {
      try {
        return await work(await this.#getOrRebuildModel());
      } catch (error) {
        if (!(await this.#sessions.isModelGone(error, this.#isReplaying))) throw error;
        if (TinkerError.is(error, "model-lost", "session-lost")) this.#model = undefined;
        this.#abandonModel();
        if (!TinkerError.is(error, ...ANSWERED_KINDS)) await recovery.waitOrThrow(error);
        else if (++answers > MAX_REBUILDS_AFTER_ANSWERS) throw error;
      }
    }
  }

  /** Returns the present model, or rebuilds it from the checkpoint and the log. */
  async #getOrRebuildModel(): Promise<TinkerModel> {
    if (this.#sessions.isLost) this.#abandonModel();
    if (this.#model !== undefined) return this.#model;
    const { baseModel, rank, seed, bounds, traits } = this.#options;
    await this.#unloadAbandoned();
    const lora = { rank, seed };
    const model = await this.#sessions.createModel({ baseModel, lora, ...bounds });
    this.#abandoned = model; // The model is unloaded if rebuilding fails.
    const { checkpoint, log, moments } = this.#history;
    if (checkpoint) {
      await model.loadWeights(checkpoint.path, { optimizer: moments === "kept" });
    }
    const rebuiltSamplers = new Map<number, TinkerSampler>();
    // Of the versions published before the checkpoint only the newest can be made again; `getSampler` makes it when
    // needed.
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
    // An error does not matter: the server cannot unload models, or has already lost this one.
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
