/**
 * The state of a REPL as bytes: what QuickJS keeps in linear memory between two cells.
 *
 *   0 ........ constants and C variables | 5 MiB of stack | heap ........ break | never used, all zero
 *
 * Between cells the stack is empty, so an image holds the constants, the C variables and the heap (165 KB for a fresh
 * context). The heap ends at the program break, whose value is in one word of the C variables. `findLayout` finds that
 * word once, and refuses a build in which it cannot be found. Pointers stay valid, because an image is always copied
 * back to the same addresses.
 */
import { BowlineError } from "../../core/index.ts";
import { INITIAL_BYTES, type Instance, PAGE_BYTES } from "./instance.ts";

const STACK_BYTES = 5 * 2 ** 20;
const PROBE_BYTES = 2 ** 20;
/** The C library keeps its own first blocks within this distance before the first block that a caller can get. */
const FIRST_BLOCKS_BYTES = 1024;

export interface MemoryLayout {
  /** The address at which the constants and C variables end. */
  readonly staticEnd: number;
  readonly heapStart: number;
  /** The address of the word that holds the program break. */
  readonly breakAt: number;
}

/** The saved memory of a REPL. `bytes` may be longer than the image, so that the heap has room to grow. */
export interface MemoryImage {
  bytes: Uint8Array;
  /** The program break, which is the end of the heap. */
  end: number;
}

/**
 * Finds the heap and the program break. It needs a new instance, which must not be used for anything else afterwards.
 */
export function findLayout({ module, memory }: Instance): MemoryLayout {
  const words = new Uint32Array(memory.buffer);
  const first = module._malloc(16);
  const heapStart = first - (first % 16) - FIRST_BLOCKS_BYTES;
  const staticEnd = heapStart + FIRST_BLOCKS_BYTES - STACK_BYTES;
  const before = words.slice(0, Math.max(0, staticEnd) / 4);
  const probe = module._malloc(PROBE_BYTES);
  let at = 0;
  for (let i = 1; i < before.length; i++) {
    if (words[i] !== before[i] && words[i]! <= INITIAL_BYTES && words[i]! > words[at]!) at = i;
  }
  const found = words[at]!;
  module._malloc(PROBE_BYTES);
  const moved = words[at]! - found;
  if (found < probe + PROBE_BYTES || Math.abs(moved - PROBE_BYTES) > PAGE_BYTES) {
    throw new BowlineError(
      "world",
      "this build of quickjs-emscripten is not supported: its heap was not found; install version 0.32",
    );
  }
  return { staticEnd, heapStart, breakAt: at * 4 };
}

/** Copies the instance's state to an image. The buffer of `reuse` is used again if it is large enough. */
export function saveImage(
  instance: Instance,
  layout: MemoryLayout,
  reuse?: MemoryImage,
): MemoryImage {
  const { staticEnd, heapStart, breakAt } = layout;
  const memory = new Uint8Array(instance.memory.buffer);
  const end = new Uint32Array(instance.memory.buffer, breakAt, 1)[0]!;
  const size = staticEnd + end - heapStart;
  const image = reuse ?? { bytes: new Uint8Array(0), end };
  if (image.bytes.length < size) image.bytes = new Uint8Array(size + PAGE_BYTES / 2);
  image.bytes.set(memory.subarray(0, staticEnd));
  image.bytes.set(memory.subarray(heapStart, end), staticEnd);
  image.end = end;
  return image;
}

/**
 * Copies an image into the instance, replacing what it held. The instance's memory must be at least as large as the
 * image.
 */
export function loadImage(instance: Instance, layout: MemoryLayout, image: MemoryImage): void {
  const { staticEnd, heapStart, breakAt } = layout;
  const memory = new Uint8Array(instance.memory.buffer);
  const previousEnd = new Uint32Array(instance.memory.buffer, breakAt, 1)[0]!;
  memory.set(image.bytes.subarray(0, staticEnd));
  memory.set(image.bytes.subarray(staticEnd, staticEnd + image.end - heapStart), heapStart);
  if (previousEnd > image.end) memory.fill(0, image.end, previousEnd);
}

export function copyImage(image: MemoryImage): MemoryImage {
  return { bytes: image.bytes.slice(), end: image.end };
}
