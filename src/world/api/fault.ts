/**
 * A bug of the world that a call met, told to whoever wrote the world. The agent gets a status of 500 and never sees a file.
 *
 * The place is the first frame of the stack that lies neither in the kit nor in a library: the line to look at. Of a world in
 * TypeScript it is the line that was written, for its loader sets source maps.
 */
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf, shortened } from "../../core/index.ts";
import type { ApiCall, Fault } from "../../spec/index.ts";

const KIT = ["..", "../../core"].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
const FRAME = /\(?((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*?)(?:\?[^:()]*)?:(\d+):(\d+)\)?$/;
const LONGEST_ARGS = 200;

/** A handler gave back what its definition does not promise. */
export class WrongReturn extends Error {
  constructor(path: readonly PropertyKey[], problem: string) {
    super(`its return value does not fit its type at "${path.join(".")}": ${problem}`);
  }
}

/** What a handler did that it should not, and where. */
export function faultOf(error: unknown): Fault {
  if (error instanceof WrongReturn) return { message: `is broken: ${error.message}` };
  const name = error instanceof Error && error.name !== "Error" ? `${error.name}: ` : "";
  const at = placeOf(error);
  return { message: `threw ${name}${messageOf(error)}`, ...(at !== undefined && { at }) };
}

/** A call that met a bug, on one line: `shop.buy({"id":3}) threw TypeError: ... at my-world.ts:41:13`. */
export function faultText({ app, api, args, fault }: Omit<ApiCall, "status" | "wrote">): string {
  const text = args === undefined ? "" : JSON.stringify(args);
  const { message = "", at } = fault ?? {};
  return `${app}.${api}(${shortened(text, LONGEST_ARGS)}) ${message}${at === undefined ? "" : ` at ${at}`}`;
}

/** `file:line:column` of the user's own code, seen from the working directory; undefined when no frame is theirs. */
export function placeOf(error: unknown): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  for (const line of stack.split("\n")) {
    const [, file, row, column] = FRAME.exec(line.trim()) ?? [];
    if (file === undefined) continue;
    const path = file.startsWith("file:") ? fileURLToPath(file) : file;
    if (KIT.some((folder) => path.startsWith(folder)) || path.includes("node_modules")) continue;
    return `${shortPath(path)}:${row}:${column}`;
  }
  return undefined;
}

function shortPath(path: string): string {
  const from = relative(process.cwd(), path);
  return from.startsWith("..") || isAbsolute(from) ? path : from;
}
