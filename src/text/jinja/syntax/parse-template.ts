/** Parses a template into statements. */
import { tokenize } from "./lexer.ts";
import type {
  FilterExpression,
  IfStatement,
  MacroBody,
  Parameter,
  Statement,
  Target,
} from "./nodes.ts";
import { parseExpression, parseFilters, parseTuple } from "./parse-expression.ts";
import { describeToken, TokenStream } from "./token-stream.ts";

/** Parses the source of a template. Throws a `TemplateSyntaxError`. */
export function parseTemplate(source: string): readonly Statement[] {
  return new TemplateParser(new TokenStream(tokenize(source))).parseBody([]);
}

/** Tags of Jinja for other templates, of which a chat template has none, or for HTML. */
const UNSUPPORTED_TAGS = ["autoescape", "block", "extends", "from", "import", "include"];
const NOT_NAMES = ["true", "True", "false", "False", "none", "None"];

class TemplateParser {
  readonly #stream: TokenStream;
  /** The number of loops around the current statement, within the same macro. */
  #loops = 0;

  constructor(stream: TokenStream) {
    this.#stream = stream;
  }

  /** Parses statements up to one of the end words, which becomes the current token. */
  parseBody(endWords: readonly string[]): Statement[] {
    const stream = this.#stream;
    const body: Statement[] = [];
    for (;;) {
      if (stream.is("end")) {
        if (endWords.length > 0)
          stream.fail(`unexpected end of template, expected ${endWords.join(" or ")}`);
        return body;
      }
      if (stream.is("data")) body.push({ type: "text", text: stream.next().text });
      else if (stream.skip("begin-print")) {
        body.push({ type: "print", value: parseTuple(stream) });
        stream.expect("end-print");
      } else {
        stream.expect("begin-block");
        if (stream.isWord(...endWords)) return body;
        body.push(...this.#parseStatement());
        stream.expect("end-block");
      }
    }
  }

  /** Parses the body of a tag up to its end word, which is consumed. */
  #parseBlock(endWord: string): Statement[] {
    const body = this.#parseUpTo([endWord]);
    this.#stream.next();
    return body;
  }

  #parseUpTo(endWords: readonly string[]): Statement[] {
    this.#stream.skip(":");
    this.#stream.expect("end-block");
    return this.parseBody(endWords);
  }

  #parseStatement(): Statement[] {
    const stream = this.#stream;
    const tag = stream.expect("name");
    switch (tag.text) {
      case "for":
        return [this.#parseFor()];
      case "if":
        return [this.#parseIf()];
      case "set":
        return [this.#parseSet()];
      case "macro":
        return [this.#parseMacro()];
      case "call":
        return [this.#parseCallBlock()];
      case "filter":
        return [this.#parseFilterBlock()];
      case "with":
        return [this.#parseWith()];
      case "print":
        return this.#parsePrint();
      case "generation":
        return [{ type: "generation", macro: this.#parseMacroBody([], "endgeneration") }];
      case "break":
      case "continue":
        if (this.#loops === 0) stream.fail(`'${tag.text}' outside of a loop`, tag.line);
        return [{ type: tag.text }];
      default:
        return stream.fail(
          UNSUPPORTED_TAGS.includes(tag.text)
            ? `the tag ${tag.text} is not supported`
            : `unknown tag '${tag.text}'`,
          tag.line,
        );
    }
  }

  #parseFor(): Statement {
    const stream = this.#stream;
    const { line } = stream.current;
    const target = this.#parseTarget({ endWord: "in" });
    stream.expectWord("in");
    const iterable = parseTuple(stream, { withChoice: false, endWord: "recursive" });
    const test = stream.skipWord("if") ? parseExpression(stream) : undefined;
    const recursive = stream.skipWord("recursive");
    this.#loops++;
    const body = this.#parseUpTo(["endfor", "else"]);
    this.#loops--;
    const otherwise = stream.next().text === "else" ? this.#parseBlock("endfor") : [];
    const assigned = [target, ...[...body, ...otherwise].flatMap(listTargets)].flatMap(listNames);
    if (assigned.includes("loop"))
      stream.fail("Can't assign to special loop variable in for-loop target", line);
    return { type: "for", target, iterable, test, recursive, body, otherwise };
  }

  #parseIf(): Statement {
    const stream = this.#stream;
    const branches: IfStatement["branches"][number][] = [];
    for (;;) {
      const test = parseTuple(stream, { withChoice: false });
      branches.push({ test, body: this.#parseUpTo(["elif", "else", "endif"]) });
      const word = stream.next().text;
      if (word === "elif") continue;
      return { type: "if", branches, otherwise: word === "else" ? this.#parseBlock("endif") : [] };
    }
  }

  #parseSet(): Statement {
    const stream = this.#stream;
    const target = this.#parseTarget({ withNamespace: true });
    if (stream.skip("=")) return { type: "set", target, value: parseTuple(stream) };
    const filter = stream.is("|") ? parseFilters(stream, undefined) : undefined;
    return { type: "set-block", target, filter, body: this.#parseBlock("endset") };
  }

  #parseMacro(): Statement {
    const name = this.#parseName();
    return {
      type: "macro",
      name,
      macro: this.#parseMacroBody(this.#parseParameters(), "endmacro"),
    };
  }

  #parseCallBlock(): Statement {
    const stream = this.#stream;
    const { line } = stream.current;
    const parameters = stream.is("(") ? this.#parseParameters() : [];
    const call = parseExpression(stream);
    if (call.type !== "call") return stream.fail("expected a call", line);
    return { type: "call-block", call, macro: this.#parseMacroBody(parameters, "endcall") };
  }

  #parseMacroBody(parameters: readonly Parameter[], endWord: string): MacroBody {
    const loops = this.#loops;
    this.#loops = 0;
    const body = this.#parseBlock(endWord);
    this.#loops = loops;
    return { parameters, body, special: new Set() };
  }

  #parseParameters(): Parameter[] {
    const stream = this.#stream;
    const parameters: Parameter[] = [];
    stream.expect("(");
    while (!stream.is(")")) {
      if (parameters.length > 0) stream.expect(",");
      const name = this.#parseName();
      const fallback = stream.skip("=") ? parseExpression(stream) : undefined;
      if (fallback === undefined && parameters.at(-1)?.fallback !== undefined)
        stream.fail("non-default argument follows default argument");
      parameters.push({ name, fallback });
    }
    stream.expect(")");
    return parameters;
  }

  #parseFilterBlock(): Statement {
    const filter = parseFilters(this.#stream, undefined, true) as FilterExpression;
    return { type: "filter-block", filter, body: this.#parseBlock("endfilter") };
  }

  #parseWith(): Statement {
    const stream = this.#stream;
    const targets: Target[] = [];
    const values = [];
    while (!stream.is("end-block")) {
      if (targets.length > 0) stream.expect(",");
      targets.push(this.#parseTarget({}));
      stream.expect("=");
      values.push(parseExpression(stream));
    }
    return { type: "with", targets, values, body: this.#parseBlock("endwith") };
  }

  #parsePrint(): Statement[] {
    const stream = this.#stream;
    const printed: Statement[] = [];
    while (!stream.is("end-block")) {
      if (printed.length > 0) stream.expect(",");
      printed.push({ type: "print", value: parseExpression(stream) });
    }
    return printed;
  }

  #parseName(): string {
    const token = this.#stream.expect("name");
    if (NOT_NAMES.includes(token.text))
      this.#stream.fail(`can't assign to '${token.text}'`, token.line);
    return token.text;
  }

  /** Parses one target, or several with commas. */
  #parseTarget({ endWord = "", withNamespace = false }): Target {
    const stream = this.#stream;
    const items: Target[] = [];
    let isTuple = false;
    const isEnd = () => stream.is("end-block", "end-print", ")") || stream.isWord(endWord);
    while (!isEnd()) {
      items.push(this.#parseTargetItem(withNamespace));
      if (!stream.skip(",")) break;
      isTuple = true;
    }
    if (!isTuple && items.length === 1) return items[0]!;
    if (items.length === 0 && !isTuple)
      stream.fail(`expected a name, got ${describeToken(stream.current)}`);
    return { type: "targets", items };
  }

  #parseTargetItem(withNamespace: boolean): Target {
    const stream = this.#stream;
    if (stream.skip("(")) {
      const target = this.#parseTarget({ withNamespace: false });
      stream.expect(")");
      return target;
    }
    const name = this.#parseName();
    if (!withNamespace || !stream.skip(".")) return { type: "name", name };
    return { type: "namespace-attribute", name, attribute: stream.expect("name").text };
  }
}

/** Returns the targets of a statement and of the statements in it. */
function listTargets(statement: Statement): Target[] {
  switch (statement.type) {
    case "set":
      return [statement.target];
    case "set-block":
      return [statement.target, ...statement.body.flatMap(listTargets)];
    case "for":
      return [
        statement.target,
        ...[...statement.body, ...statement.otherwise].flatMap(listTargets),
      ];
    case "if":
      return [...statement.branches.flatMap(({ body }) => body), ...statement.otherwise].flatMap(
        listTargets,
      );
    case "filter-block":
    case "with":
      return statement.body.flatMap(listTargets);
    case "macro":
    case "call-block":
    case "generation":
      return statement.macro.body.flatMap(listTargets);
    default:
      return [];
  }
}

export function listNames(target: Target): string[] {
  if (target.type === "name") return [target.name];
  return target.type === "targets" ? target.items.flatMap(listNames) : [];
}
