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

/**
 * The saved memory of a REPL. Most of it equals the memory of a context that was just created, so an image holds only
 * the blocks that differ from this base.
 */
export interface MemoryImage {
  /** The memory that this image is compared with; undefined when the image holds all of its own. */
  readonly base?: Uint8Array | undefined;
  /** The numbers of the blocks that differ from the base, in their order. */
  blocks: Uint32Array;
  /** The differing blocks, one after another, or the whole memory. An image that was saved is never written to. */
  bytes: Uint8Array;
  /** The program break, which is the end of the heap. */
  end: number;
}

/** With smaller blocks, an image is smaller, but each cell takes longer: 72 KB with 1024 bytes, 60 KB with 512. */
const BLOCK_BYTES = 1024;

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

/** Copies the instance's whole state to a new image. */
export function saveImage(instance: Instance, layout: MemoryLayout): MemoryImage {
  const end = readBreak(instance, layout);
  const bytes = new Uint8Array(sizeOf(layout, end));
  readMemory(instance, layout, bytes);
  return { blocks: new Uint32Array(0), bytes, end };
}

/** The memory that is compared with a base. Each thread needs it only for a moment. */
let scratch = Buffer.alloc(0);

/** Replaces what an image with a base holds by the instance's state. */
export function saveChanges(
  instance: Instance,
  layout: MemoryLayout,
  image: MemoryImage & { readonly base: Uint8Array },
): void {
  const { base } = image;
  const end = readBreak(instance, layout);
  const size = sizeOf(layout, end);
  if (scratch.length < size) scratch = Buffer.alloc(size + PAGE_BYTES);
  readMemory(instance, layout, scratch.subarray(0, size));
  const changed: number[] = [];
  for (let at = 0; at < size; at += BLOCK_BYTES) {
    const to = Math.min(at + BLOCK_BYTES, size);
    const isKnown = to <= base.length && scratch.compare(base, at, to, at, to) === 0;
    if (!isKnown) changed.push(at / BLOCK_BYTES);
  }
  const bytes = new Uint8Array(changed.length * BLOCK_BYTES);
  for (const [i, block] of changed.entries()) {
    const at = block * BLOCK_BYTES;
    bytes.set(scratch.subarray(at, Math.min(at + BLOCK_BYTES, size)), i * BLOCK_BYTES);
  }
  image.blocks = Uint32Array.from(changed);
  image.bytes = bytes;
  image.end = end;
}

/**
 * Copies an image into the instance, replacing what it held. The instance's memory must be at least as large as the
 * image.
 */
export function loadImage(instance: Instance, layout: MemoryLayout, image: MemoryImage): void {
  const { base = image.bytes, blocks, bytes, end } = image;
  const previousEnd = readBreak(instance, layout);
  const size = sizeOf(layout, end);
  writeMemory(instance, layout, 0, base.subarray(0, size));
  for (const [i, block] of blocks.entries()) {
    const from = block * BLOCK_BYTES;
    const length = Math.min(BLOCK_BYTES, size - from);
    writeMemory(instance, layout, from, bytes.subarray(i * BLOCK_BYTES, i * BLOCK_BYTES + length));
  }
  if (previousEnd > end) new Uint8Array(instance.memory.buffer).fill(0, end, previousEnd);
}

/** Returns an equal image. What both hold is shared until one of them is saved again. */
export function copyImage(image: MemoryImage): MemoryImage {
  return { ...image };
}

/** Returns an image whose base is the whole memory `from`, and that has other `words` at `at`, a multiple of eight. */
export function derivedImage(from: MemoryImage, at: number, words: readonly number[]): MemoryImage {
  const block = Math.floor(at / BLOCK_BYTES);
  const bytes = new Uint8Array(BLOCK_BYTES);
  bytes.set(from.bytes.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES));
  new Uint32Array(bytes.buffer, at - block * BLOCK_BYTES, words.length).set(words);
  return { base: from.bytes, blocks: Uint32Array.of(block), bytes, end: from.end };
}

const readBreak = ({ memory }: Instance, { breakAt }: MemoryLayout) =>
  new Uint32Array(memory.buffer, breakAt, 1)[0]!;

/** The bytes of an image whose heap ends at `end`: constants and C variables, then the heap. */
const sizeOf = ({ staticEnd, heapStart }: MemoryLayout, end: number) => staticEnd + end - heapStart;

function readMemory({ memory }: Instance, layout: MemoryLayout, target: Uint8Array): void {
  const { staticEnd, heapStart } = layout;
  const source = new Uint8Array(memory.buffer);
  target.set(source.subarray(0, staticEnd));
  target.set(source.subarray(heapStart, heapStart + target.length - staticEnd), staticEnd);
}

/** Writes bytes of an image, which lie at `at` in it, to where they belong in the instance. */
function writeMemory(
  { memory }: Instance,
  { staticEnd, heapStart }: MemoryLayout,
  at: number,
  bytes: Uint8Array,
): void {
  const target = new Uint8Array(memory.buffer);
  const before = Math.max(0, Math.min(bytes.length, staticEnd - at));
  target.set(bytes.subarray(0, before), at);
  if (before === bytes.length) return;
  target.set(bytes.subarray(before), heapStart + at + before - staticEnd);
}
