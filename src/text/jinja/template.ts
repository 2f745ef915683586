/** Compiles a Jinja template and renders it as transformers does (with `trim_blocks` and `lstrip_blocks`). */
import { Interpreter, parse, tokenize } from "@huggingface/jinja";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { createScope, HELPER_NAMES, TemplateRaisedError } from "./builtins.ts";
import { rewriteTemplate } from "./rewrite.ts";
import { findUndeclaredNames } from "./undeclared-names.ts";

/** A compiled template. */
export interface Template {
  /** Renders the template. `now` is the time that `strftime_now` returns; without it, there is no such function. */
  render(variables: Readonly<Record<string, unknown>>, now?: Date): string;
  /** The names of the variables that the template reads from its caller. */
  readonly variables: ReadonlySet<string>;
}

/** Compiles a template. `templateName` is for messages. Throws a `checkpoint` error if the syntax is wrong. */
export function compileTemplate(source: string, templateName: string): Template {
  const parsed = rethrowAsCheckpointError(`${templateName}: the template is broken`, () =>
    parse(tokenize(source, { trim_blocks: true, lstrip_blocks: true })),
  );
  // Rewriting changes the tree in place, so the names are found before it.
  const names = [...findUndeclaredNames(parsed)].filter((name) => !HELPER_NAMES.has(name));
  const program = rethrowAsCheckpointError(`${templateName}: the template is broken`, () =>
    rewriteTemplate(parsed),
  );
  return {
    variables: new Set(names),
    render: (variables, now) =>
      rethrowAsCheckpointError(`${templateName}: the template cannot be rendered`, () => {
        const result: unknown = new Interpreter(createScope(variables, now)).run(program);
        return (result as { readonly value: string }).value;
      }),
  };
}

function rethrowAsCheckpointError<T>(errorPrefix: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const message = errorMessage(cause);
    const isRaised = cause instanceof TemplateRaisedError;
    throw new BowlineError(
      "checkpoint",
      isRaised ? `${errorPrefix}: it says: ${message}` : `${errorPrefix}: ${message}`,
      { cause },
    );
  }
}
