/**
 * The single QuickJS instance of a thread. All REPLs of the thread take turns with it: copy an image in, run, copy the
 * image out.
 *
 * An instance that broke or whose memory grew is replaced before the next turn. This is possible because no REPL's
 * state stays in it. A new REPL starts from a template, which is the image of a context that was just created, with its
 * own seed as the state of `Math.random`.
 */
import { assert, BowlineError, mix32 } from "../../core/index.ts";
import { bootContext, type ContextPointers } from "./cell.ts";
import {
  derivedImage,
  findLayout,
  loadImage,
  type MemoryImage,
  type MemoryLayout,
  saveChanges,
  saveImage,
} from "./image.ts";
import { createInstanceFactory, INITIAL_BYTES, type Instance } from "./instance.ts";

/** The state of a REPL between two cells. */
export interface ReplState {
  readonly image: MemoryImage;
  readonly roots: ContextPointers;
}

export type ApiNamesByApp = Readonly<Record<string, readonly string[]>>;

/**
 * The result of using the instance, and the image that the instance holds afterwards; absent when its memory must not
 * be used any more.
 */
export interface InstanceTurn<T> {
  readonly result: T;
  readonly heldImage?: MemoryImage;
}

export class SharedInstance {
  readonly #make: (bytes?: number) => Promise<Instance>;
  readonly #layout: MemoryLayout;
  /** The image of an instance before its first context was created. */
  readonly #pristine: MemoryImage;
  readonly #templates = new Map<string, ReplState>();
  /** Caches the JSON of API names. All episodes of a world pass the same object, which never changes. */
  readonly #names = new WeakMap<ApiNamesByApp, string>();
  #instance: Instance;
  /** The image that the instance currently holds; undefined when that is not known. */
  #resident: MemoryImage | undefined;
  /** The offset in an image of the eight bytes that hold the state of `Math.random`. */
  #randomAt = 0;

  private constructor(
    make: (bytes?: number) => Promise<Instance>,
    layout: MemoryLayout,
    fresh: Instance,
  ) {
    this.#make = make;
    this.#layout = layout;
    this.#instance = fresh;
    this.#pristine = saveImage(fresh, layout);
  }

  static async create(): Promise<SharedInstance> {
    const make = await createInstanceFactory();
    const stage = new SharedInstance(make, findLayout(await make()), await make());
    const [a, b] = [await stage.#bootContext({}, 0, 1), await stage.#bootContext({}, 0, 2 ** 40)];
    stage.#randomAt = findRandomState(a.image, b.image);
    return stage;
  }

  /** Runs `use`, which must be synchronous, on an instance that holds `image`. */
  async withImage<T>(image: MemoryImage, use: (instance: Instance) => InstanceTurn<T>): Promise<T> {
    const grown = this.#instance.memory.buffer.byteLength > INITIAL_BYTES;
    if (this.#instance.isBroken || grown || image.end > INITIAL_BYTES) {
      this.#instance = await this.#make(image.end);
      this.#resident = undefined;
    }
    if (this.#resident !== image) loadImage(this.#instance, this.#layout, image);
    this.#resident = undefined;
    const { result, heldImage } = use(this.#instance);
    this.#resident = heldImage;
    return result;
  }

  /** Copies what the instance holds to `image`, which has a base. */
  save(instance: Instance, image: MemoryImage): MemoryImage {
    const { base } = image;
    assert(base, "the image of a REPL has a base");
    saveChanges(instance, this.#layout, image as MemoryImage & { readonly base: Uint8Array });
    return image;
  }

  /** Returns the state of a new REPL in which no cell has run yet. */
  async newReplState(apps: ApiNamesByApp, stdoutChars: number, seed: number): Promise<ReplState> {
    const key = `${this.#apiNamesKey(apps)} ${stdoutChars}`;
    let template = this.#templates.get(key);
    if (!template) {
      template = await this.#bootContext(apps, stdoutChars, 1);
      this.#templates.set(key, template);
    }
    const random = [mix32(seed), mix32(seed ^ 0x9e3779b9) | 1];
    const image = derivedImage(template.image, this.#randomAt, random);
    return { image, roots: template.roots };
  }

  #apiNamesKey(apps: ApiNamesByApp): string {
    const known = this.#names.get(apps);
    if (known !== undefined) return known;
    const names = JSON.stringify(apps);
    this.#names.set(apps, names);
    return names;
  }

  #bootContext(apps: ApiNamesByApp, stdoutChars: number, now: number): Promise<ReplState> {
    return this.withImage(this.#pristine, (instance) => {
      const roots = bootContext(instance, apps, stdoutChars, now);
      const image = saveImage(instance, this.#layout);
      return { result: { image, roots }, heldImage: image };
    });
  }
}

/**
 * Finds the random seed in an image. It is made from the time, so it is the eight aligned bytes in which contexts made
 * at two instants differ.
 */
function findRandomState(a: MemoryImage, b: MemoryImage): number {
  const at = a.bytes.findIndex((byte, i) => byte !== b.bytes[i]);
  const word = at - (at % 8);
  const bytesAfterWord = (image: MemoryImage) => Buffer.from(image.bytes.subarray(word + 8));
  if (at < 0 || a.end !== b.end || !bytesAfterWord(a).equals(bytesAfterWord(b))) {
    throw new BowlineError(
      "world",
      "this build of quickjs-emscripten is not supported: its random state was not found; install version 0.32",
    );
  }
  return word;
}
