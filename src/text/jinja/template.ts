/** Compiles a Jinja template and renders it as transformers does (with `trim_blocks` and `lstrip_blocks`). */
import { Interpreter, parse, tokenize } from "@huggingface/jinja";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { createScope, TemplateRaisedError } from "./builtins.ts";
import { rewriteTemplate } from "./rewrite.ts";

/** A compiled template. */
export interface Template {
  /** Renders the template. `now` is the time that `strftime_now` returns; without it, there is no such function. */
  render(variables: Readonly<Record<string, unknown>>, now?: Date): string;
}

/** Compiles a template. `templateName` is for messages. Throws a `checkpoint` error if the syntax is wrong. */
export function compileTemplate(source: string, templateName: string): Template {
  const program = rethrowAsCheckpointError(`${templateName}: the template is broken`, () =>
    rewriteTemplate(parse(tokenize(source, { trim_blocks: true, lstrip_blocks: true }))),
  );
  return {
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
