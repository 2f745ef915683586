/** Who named a module or a server, and the error about one that a file names and that this user has not trusted. */
import { BowlineError } from "../errors.ts";
import { toVisibleText } from "../visible-text.ts";

/** Who named a module: this command line or call of the library, or a file. Plain data, so it can go to a worker. */
export type ModuleOrigin =
  | { readonly by: "call" }
  | {
      readonly by: "file";
      /** The path of the file that names the module. */
      readonly file: string;
      /** The run or policy that `bowline trust` takes to allow what the file names. */
      readonly subject: string;
    };

/** The origin of what this command line, or this call of the library, names. */
export const THIS_CALL: ModuleOrigin = { by: "call" };

/** Makes the error about something that a file names and that this user has not trusted. */
export function refuseUntrusted(
  field: string,
  what: string,
  { file, subject }: Extract<ModuleOrigin, { readonly by: "file" }>,
): BowlineError {
  const problem = `${field}: ${file} names ${what} you have not trusted, so it is not used; if you know it, allow it by: bowline trust ${quoteArgument(subject)}`;
  return new BowlineError("trust", toVisibleText(problem).replaceAll("\n", "\\n"));
}

/** Quotes an argument for a shell. A person may copy the command, and the name may come from anywhere. */
function quoteArgument(text: string): string {
  return /^[\w./@:+~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
