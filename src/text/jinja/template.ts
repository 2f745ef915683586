/** A Jinja template, compiled once, run as transformers runs it (`trim_blocks` and `lstrip_blocks` are on). */
import { Interpreter, parse, tokenize } from "@huggingface/jinja";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { createScope, TemplateRaisedError } from "./builtins.ts";
import { rewriteTemplate } from "./rewrite.ts";

export interface Template {
  /** `now` is what `strftime_now` tells; absent: there is no such function. */
  render(variables: Readonly<Record<string, unknown>>, now?: Date): string;
}

/** `where` names the template in messages. Throws a `checkpoint` error when the syntax is broken. */
export function compileTemplate(source: string, templateName: string): Template {
  const program = runAsCheckpointError(`${templateName}: the template is broken`, () =>
    rewriteTemplate(parse(tokenize(source, { trim_blocks: true, lstrip_blocks: true }))),
  );
  return {
    render: (variables, now) =>
      runAsCheckpointError(`${templateName}: the template cannot be rendered`, () => {
        const result: unknown = new Interpreter(createScope(variables, now)).run(program);
        return (result as { readonly value: string }).value;
      }),
  };
}

function runAsCheckpointError<T>(errorPrefix: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const message = errorMessage(cause);
    const refused = cause instanceof TemplateRaisedError;
    throw new BowlineError(
      "checkpoint",
      refused ? `${errorPrefix}: it says: ${message}` : `${errorPrefix}: ${message}`,
      { cause },
    );
  }
}
