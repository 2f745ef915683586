/**
 * One QuickJS WebAssembly instance with its own linear memory, a limit on the growth of that memory, and the episode's
 * clock.
 *
 * This file uses the lower half of the library (`RELEASE_SYNC`, the typed C functions) instead of its context API.
 * There, every pointer is a number and all state is in linear memory, so a REPL can be stored as a string of bytes.
 */
import { readFileSync } from "node:fs";
import {
  type EmscriptenModuleLoader,
  type EmscriptenModuleLoaderOptions,
  type JSContextPointer,
  type JSValuePointer,
  type OwnedHeapCharPointer,
  type QuickJSEmscriptenModule,
  type QuickJSFFI,
  RELEASE_SYNC,
} from "quickjs-emscripten";
import { BowlineError } from "../../core/index.ts";

/** The units of work that the program may still do. Below zero it traps. A 32-bit integer. */
interface WorkCounter {
  value: number;
}

/** The part of the global `WebAssembly` that this file uses; the compiler's library for Node has none of it. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: object);
    readonly exports: { readonly work: WorkCounter };
  }
}

/** QuickJS with a meter, beside `src` and `dist`. `wasm/meter-quickjs.mjs` makes it. */
const METERED_QUICKJS = new URL("../../../wasm/quickjs-metered.wasm", import.meta.url);

export const PAGE_BYTES = 65_536;
/** The smallest memory, in bytes, with which the module can run. */
export const INITIAL_BYTES = 256 * PAGE_BYTES;
const MAXIMUM_BYTES = 32_768 * PAGE_BYTES;

export interface InstanceHooks {
  /** Milliseconds since the epoch. The value also seeds `Math.random` when a context is made. */
  readonly now: number;
  /** The largest size of the linear memory, in bytes. `onOutOfMemory` is called when the code needs more. */
  readonly maxBytes: number;
  onOutOfMemory(): void;
  /** Returns true to stop the running code, even inside `catch` and `finally`. */
  shouldInterrupt(): boolean;
  /** The only host function. It takes strings and returns a string or nothing. */
  handleHostCall(args: readonly string[]): string | undefined;
}

export interface Instance {
  readonly module: QuickJSEmscriptenModule;
  readonly ffi: QuickJSFFI;
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** The work that the instance may still do; see `wasm/meter-quickjs.mjs` for the unit. Set it before code runs. */
  readonly work: WorkCounter;
  /** Sets the hooks that are called while code runs in the instance. */
  readonly setHooks: (hooks: InstanceHooks) => void;
  /** True after an error was thrown through WebAssembly frames. The memory can then no longer be trusted. */
  isBroken: boolean;
}

export const IDLE_HOOKS: InstanceHooks = {
  now: 0,
  maxBytes: INITIAL_BYTES,
  onOutOfMemory: () => {},
  shouldInterrupt: () => false,
  handleHostCall: () => undefined,
};

type Imports = Record<string, unknown>;

interface HookSocket {
  hooks: InstanceHooks;
  work?: WorkCounter;
  readonly memory: WebAssembly.Memory;
}

/**
 * Compiles the module once. Returns a function that makes instances with at least the given number of bytes of memory.
 */
export async function createInstanceFactory(): Promise<(bytes?: number) => Promise<Instance>> {
  const [load, Ffi] = await Promise.all([
    RELEASE_SYNC.importModuleLoader(),
    RELEASE_SYNC.importFFI(),
  ]);
  const loader = (
    "default" in load ? load.default : load
  ) as EmscriptenModuleLoader<QuickJSEmscriptenModule>;
  const compiled = new WebAssembly.Module(readFileSync(METERED_QUICKJS));
  return async (bytes = INITIAL_BYTES) => {
    const memory = new WebAssembly.Memory({
      initial: Math.ceil(Math.max(bytes, INITIAL_BYTES) / PAGE_BYTES),
      maximum: MAXIMUM_BYTES / PAGE_BYTES,
    });
    const socket: HookSocket = { hooks: IDLE_HOOKS, memory };
    const options: EmscriptenModuleLoaderOptions & { printErr: () => void } = {
      wasmMemory: memory,
      printErr: () => {},
      instantiateWasm(imports, onSuccess) {
        overrideClock(imports["a"] as Imports, socket);
        limitMemoryGrowth(imports["a"] as Imports, socket);
        const instance = new WebAssembly.Instance(compiled, imports);
        socket.work = instance.exports.work;
        onSuccess(instance as never);
        return instance.exports as never;
      },
    };
    const module = await loader(options);
    const setHooks = (hooks: InstanceHooks) => {
      socket.hooks = hooks;
    };
    const instance: Instance = {
      module,
      ffi: new Ffi(module),
      memory,
      work: socket.work!,
      setHooks,
      isBroken: false,
    };
    module.callbacks = makeCallbacks(instance, socket);
    return instance;
  };
}

/**
 * Makes the functions that C calls. They must not throw, because that would unwind WebAssembly frames. ES modules are
 * never loaded.
 */
function makeCallbacks(
  instance: Instance,
  socket: HookSocket,
): QuickJSEmscriptenModule["callbacks"] {
  const { module, ffi } = instance;
  return {
    callFunction: (_asyncify, ctx, _self, count, args) => {
      const texts: string[] = [];
      for (let i = 0; i < count; i++) {
        const chars = ffi.QTS_GetString(ctx, ffi.QTS_ArgvGetJSValueConstPointer(args, i));
        texts.push(module.UTF8ToString(chars));
        ffi.QTS_FreeCString(ctx, chars);
      }
      const answer = socket.hooks.handleHostCall(texts);
      return answer === undefined ? (0 as JSValuePointer) : allocateJsString(instance, ctx, answer);
    },
    shouldInterrupt: () => (socket.hooks.shouldInterrupt() ? 1 : 0),
    freeHostRef: () => {},
    loadModuleSource: () => 0 as never,
    normalizeModule: () => 0 as never,
  };
}

/**
 * Copies JSON or escaped code into a string of QuickJS. `text` must hold no NUL and no lone surrogate. Returns 0 when
 * the memory is full.
 */
export function allocateJsString(
  instance: Instance,
  ctx: JSContextPointer,
  text: string,
): JSValuePointer {
  const chars = allocateUtf8(instance, text);
  if (chars === undefined) return 0 as JSValuePointer;
  const value = instance.ffi.QTS_NewString(ctx, chars.at);
  instance.module._free(chars.at);
  return value;
}

/**
 * Copies text as zero-terminated UTF-8 into linear memory. `size` excludes the zero. Returns undefined when there is no
 * room.
 */
export function allocateUtf8(
  { module }: Instance,
  text: string,
): { at: OwnedHeapCharPointer; size: number } | undefined {
  const size = module.lengthBytesUTF8(text);
  const at = module._malloc(size + 1) as OwnedHeapCharPointer;
  if (at === 0) return undefined;
  module.stringToUTF8(text, at, size + 1);
  return { at, size };
}

/**
 * Limits how far the memory may grow. When growth is refused, `malloc` fails in QuickJS. Requests that are too large
 * are reduced.
 */
function limitMemoryGrowth(imports: Imports, socket: HookSocket): void {
  const { memory } = socket;
  const resize = findImport(imports, "heap", (source) => source.includes(".grow("));
  const library = imports[resize] as (bytes: number) => boolean;
  imports[resize] = (bytes: number) => {
    if (bytes >>> 0 <= socket.hooks.maxBytes) return library(bytes);
    socket.hooks.onOutOfMemory();
    return false;
  };
  const grow = memory.grow.bind(memory);
  const remainingPages = () =>
    Math.floor((socket.hooks.maxBytes - memory.buffer.byteLength) / PAGE_BYTES);
  Object.defineProperty(memory, "grow", {
    value: (pages: number) => grow(Math.min(pages, remainingPages())),
  });
}

/**
 * Finds an import by what its source code does, because names are minified. Throws unless exactly one import matches.
 */
function findImport(imports: Imports, what: string, test: (source: string) => boolean): string {
  const names = Object.keys(imports).filter(
    (name) => typeof imports[name] === "function" && test(String(imports[name])),
  );
  if (names.length === 1) return names[0]!;
  throw new BowlineError(
    "world",
    `this build of quickjs-emscripten is not supported: expected one ${what} import, found ${names.length}; install version 0.32`,
  );
}

/** Replaces the host's clock and time zone by the episode's clock in UTC. */
function overrideClock(imports: Imports, socket: HookSocket): void {
  const { memory } = socket;
  const localtime = findImport(
    imports,
    "local-time",
    (s) => s.includes("getTimezoneOffset") && s.includes("getSeconds"),
  );
  const zone = findImport(
    imports,
    "time-zone",
    (s) => s.includes("getTimezoneOffset") && !s.includes("getSeconds"),
  );
  const now = findImport(imports, "clock", (s) => s.includes("Date.now()"));
  imports[now] = () => socket.hooks.now;
  imports[localtime] = (seconds: bigint | number, tm: number) => {
    const date = new Date(1000 * Number(seconds));
    const fields = [
      date.getUTCSeconds(),
      date.getUTCMinutes(),
      date.getUTCHours(),
      date.getUTCDate(),
      date.getUTCMonth(),
      date.getUTCFullYear() - 1900,
      date.getUTCDay(),
      Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0)) / 86_400_000),
      0, // There is no daylight saving time.
      0, // There is no offset from UTC.
    ];
    new Int32Array(memory.buffer, tm, fields.length).set(fields.map((field) => field | 0));
  };
  imports[zone] = (
    offset: number,
    daylight: number,
    standardName: number,
    daylightName: number,
  ) => {
    const view = new DataView(memory.buffer);
    view.setInt32(offset, 0, true);
    view.setInt32(daylight, 0, true);
    for (const name of [standardName, daylightName]) {
      new Uint8Array(memory.buffer, name, 4).set([0x55, 0x54, 0x43, 0]); // These bytes are the text "UTC".
    }
  };
}
