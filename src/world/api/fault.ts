/**
 * Describes a bug of the world that a call ran into, for the world's author. The agent gets only a status of 500 and
 * never sees a file.
 *
 * The reported place is the first stack frame that is neither in the kit nor in a library. For a world in TypeScript it
 * is the line in the source file, because the loader sets source maps.
 */
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { errorMessage, truncateText } from "../../core/index.ts";
import type { ApiCall, Fault } from "../../spec/index.ts";

const KIT_FOLDERS = ["..", "../../core"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
const STACK_FRAME = /\(?((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*?)(?:\?[^:()]*)?:(\d+):(\d+)\)?$/;
const MAX_ARGS_CHARS = 200;

/** Thrown when a handler returned what its definition does not promise. */
export class WrongReturnValue extends Error {
  constructor(path: readonly PropertyKey[], problem: string) {
    super(`its return value does not fit its type at "${path.join(".")}": ${problem}`);
  }
}

/** Thrown when a function of the world is asynchronous. */
export class ReturnedPromise extends Error {
  constructor() {
    super(
      "it returned a promise; the functions of a world run synchronously, so use no async, await or fetch: what they need must be in tables or in the module",
    );
  }
}

/** Describes what a handler did wrong, and where. */
export function describeFault(error: unknown): Fault {
  if (error instanceof WrongReturnValue || error instanceof ReturnedPromise)
    return { message: `is broken: ${error.message}` };
  const name = error instanceof Error && error.name !== "Error" ? `${error.name}: ` : "";
  const at = findUserCodePlace(error);
  return { message: `threw ${name}${errorMessage(error)}`, ...(at !== undefined && { at }) };
}

/** Formats a call that ran into a bug as one line: `shop.buy({"id":3}) threw TypeError: ... at my-world.ts:41:13`. */
export function formatFault({ app, api, args, fault }: Omit<ApiCall, "status" | "wrote">): string {
  const text = args === undefined ? "" : JSON.stringify(args);
  const { message = "", at } = fault ?? {};
  return `${app}.${api}(${truncateText(text, MAX_ARGS_CHARS)}) ${message}${at === undefined ? "" : ` at ${at}`}`;
}

/** Finds `file:line:column` of the user's own code in a stack, relative to the working directory, if it is there. */
export function findUserCodePlace(error: unknown): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  for (const line of stack.split("\n")) {
    const [, file, row, column] = STACK_FRAME.exec(line.trim()) ?? [];
    if (file === undefined) continue;
    const path = file.startsWith("file:") ? fileURLToPath(file) : file;
    if (KIT_FOLDERS.some((folder) => path.startsWith(folder)) || path.includes("node_modules"))
      continue;
    return `${shortPath(path)}:${row}:${column}`;
  }
  return undefined;
}

function shortPath(path: string): string {
  const from = relative(process.cwd(), path);
  return from.startsWith("..") || isAbsolute(from) ? path : from;
}
