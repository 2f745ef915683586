/** A Jinja template, compiled once, run as transformers runs it (`trim_blocks` and `lstrip_blocks` are on). */
import { Interpreter, parse, tokenize } from "@huggingface/jinja";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { scopeOf, TemplateRefusal } from "./builtins.ts";
import { rewritten } from "./rewrite.ts";

export interface Template {
  /** `now` is what `strftime_now` tells; absent: there is no such function. */
  render(variables: Readonly<Record<string, unknown>>, now?: Date): string;
}

/** `where` names the template in messages. Throws a `checkpoint` error when the syntax is broken. */
export function compileTemplate(source: string, where: string): Template {
  const program = attempt(`${where}: the template is broken`, () =>
    rewritten(parse(tokenize(source, { trim_blocks: true, lstrip_blocks: true }))),
  );
  return {
    render: (variables, now) =>
      attempt(`${where}: the template cannot be rendered`, () => {
        const result: unknown = new Interpreter(scopeOf(variables, now)).run(program);
        return (result as { readonly value: string }).value;
      }),
  };
}

function attempt<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const message = errorMessage(cause);
    const refused = cause instanceof TemplateRefusal;
    throw new BowlineError(
      "checkpoint",
      refused ? `${what}: it says: ${message}` : `${what}: ${message}`,
      { cause },
    );
  }
}
