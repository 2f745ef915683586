/** Compiles a Jinja template and renders it as transformers does (with `trim_blocks` and `lstrip_blocks`). */
import { BowlineError, errorMessage } from "../../core/index.ts";
import { requireKnownNames } from "./check-names.ts";
import { execute } from "./execute.ts";
import { Frame, Rendering } from "./frame.ts";
import { fromJavaScript } from "./from-javascript.ts";
import { createGlobals, TemplateRaisedError } from "./library/globals.ts";
import { findGivenNames } from "./syntax/given-names.ts";
import { parseTemplate } from "./syntax/parse-template.ts";
import { findScopes } from "./syntax/scopes.ts";

/** A compiled template. */
export interface Template {
  /**
   * Renders the template. `now` is the time that `strftime_now` returns; without it, there is no such function.
   * Numbers may be given as `JsonNumber` and objects as maps, as `parseExactJson` returns them.
   */
  render(variables: Readonly<Record<string, unknown>>, now?: Date): string;
  /** The names of the variables that the template reads from its caller. */
  readonly variables: ReadonlySet<string>;
  /** This is true when the template calls `strftime_now`. */
  readonly readsDate: boolean;
}

/** Compiles a template. `templateName` is for messages. Throws a `checkpoint` error if the syntax is wrong. */
export function compileTemplate(source: string, templateName: string): Template {
  const statements = rethrowAsCheckpointError(`${templateName}: the template is broken`, () =>
    parseTemplate(source),
  );
  const scope = findScopes(statements);
  const functions = createGlobals(new Date(0));
  const names = findGivenNames(statements);
  return {
    variables: new Set([...names].filter((name) => !functions.has(name))),
    readsDate: names.has("strftime_now"),
    render: (variables, now) =>
      rethrowAsCheckpointError(`${templateName}: the template cannot be rendered`, () => {
        requireKnownNames(statements);
        const given = Object.entries(variables).filter(([, value]) => value !== undefined);
        const values = given.map(([name, value]) => [name, fromJavaScript(value)] as const);
        const rendering = new Rendering(new Map([...createGlobals(now), ...values]));
        const out: string[] = [];
        execute(statements, new Frame(rendering, scope), out);
        return out.join("");
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
