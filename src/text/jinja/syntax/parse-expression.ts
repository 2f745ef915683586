/** Parses the expressions of templates. From the weakest operator to the strongest, each has a function. */
import type { CallArguments, Comparison, Expression, FilterExpression } from "./nodes.ts";
import { describeToken, type TokenStream } from "./token-stream.ts";

/** Parses an expression with `a if b else c`, or without it. */
export function parseExpression(stream: TokenStream, withChoice = true): Expression {
  let value = parseOr(stream);
  while (withChoice && stream.skipWord("if")) {
    const test = parseOr(stream);
    const no = stream.skipWord("else") ? parseExpression(stream) : undefined;
    value = { type: "choice", test, yes: value, no };
  }
  return value;
}

/** Parses one expression, or several with commas as a tuple. `endWord` is a word that may follow a comma. */
export function parseTuple(
  stream: TokenStream,
  { withChoice = true, inParentheses = false, endWord = "" } = {},
): Expression {
  const items: Expression[] = [];
  let isTuple = false;
  const isEnd = () => stream.is("end-print", "end-block", ")") || stream.isWord(endWord);
  while (!isEnd()) {
    items.push(parseExpression(stream, withChoice));
    if (!stream.skip(",")) break;
    isTuple = true;
  }
  if (!isTuple && items.length > 0) return items[0]!;
  if (!isTuple && !inParentheses)
    stream.fail(`expected an expression, got ${describeToken(stream.current)}`);
  return { type: "tuple", items };
}

function parseOr(stream: TokenStream): Expression {
  let left = parseAnd(stream);
  while (stream.skipWord("or")) left = { type: "or", left, right: parseAnd(stream) };
  return left;
}

function parseAnd(stream: TokenStream): Expression {
  let left = parseNot(stream);
  while (stream.skipWord("and")) left = { type: "and", left, right: parseNot(stream) };
  return left;
}

function parseNot(stream: TokenStream): Expression {
  return stream.skipWord("not")
    ? { type: "not", value: parseNot(stream) }
    : parseComparison(stream);
}

const ORDERS = ["==", "!=", "<", "<=", ">", ">="];

function parseComparison(stream: TokenStream): Expression {
  const first = parseSum(stream);
  const rest: [Comparison, Expression][] = [];
  for (;;) {
    if (stream.is(...ORDERS)) {
      const order = stream.next().type as Comparison;
      rest.push([order, parseSum(stream)]);
    } else if (stream.skipWord("in")) rest.push(["in", parseSum(stream)]);
    else if (stream.isWord("not") && stream.peek().type === "name" && stream.peek().text === "in") {
      stream.next();
      stream.next();
      rest.push(["not in", parseSum(stream)]);
    } else break;
  }
  return rest.length > 0 ? { type: "comparison", first, rest } : first;
}

function parseSum(stream: TokenStream): Expression {
  let left = parseConcatenation(stream);
  while (stream.is("+", "-")) {
    const operator = stream.next().type as "+" | "-";
    left = { type: "operation", operator, left, right: parseConcatenation(stream) };
  }
  return left;
}

function parseConcatenation(stream: TokenStream): Expression {
  const parts = [parseProduct(stream)];
  while (stream.skip("~")) parts.push(parseProduct(stream));
  return parts.length > 1 ? { type: "concatenation", parts } : parts[0]!;
}

function parseProduct(stream: TokenStream): Expression {
  let left = parsePower(stream);
  while (stream.is("*", "/", "//", "%")) {
    const operator = stream.next().type as "*" | "/" | "//" | "%";
    left = { type: "operation", operator, left, right: parsePower(stream) };
  }
  return left;
}

function parsePower(stream: TokenStream): Expression {
  let left = parseSigned(stream);
  while (stream.skip("**")) {
    left = { type: "operation", operator: "**", left, right: parseSigned(stream) };
  }
  return left;
}

/** Parses a value with its sign, attributes, items and calls, and with filters and tests. */
function parseSigned(stream: TokenStream, withFilters = true): Expression {
  let value: Expression;
  if (stream.is("-", "+")) {
    const sign = stream.next().type as "-" | "+";
    value = { type: "sign", sign, value: parseSigned(stream, false) };
  } else value = parsePrimary(stream);
  value = parsePostfix(stream, value);
  return withFilters ? parseFiltersAndTests(stream, value) : value;
}

const CONSTANTS: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};

function parsePrimary(stream: TokenStream): Expression {
  const token = stream.current;
  switch (token.type) {
    case "name":
      stream.next();
      return Object.hasOwn(CONSTANTS, token.text)
        ? { type: "constant", value: CONSTANTS[token.text]! }
        : { type: "name", name: token.text };
    case "string": {
      let value = "";
      while (stream.is("string")) value += stream.next().text;
      return { type: "constant", value };
    }
    case "integer":
    case "float":
      stream.next();
      return { type: "constant", value: token.value! };
    case "(": {
      stream.next();
      const value = parseTuple(stream, { inParentheses: true });
      stream.expect(")");
      return value;
    }
    case "[":
      return { type: "list", items: parseItems(stream, "[", "]", () => parseExpression(stream)) };
    case "{":
      return { type: "dict", entries: parseItems(stream, "{", "}", () => parseEntry(stream)) };
    default:
      return stream.fail(`unexpected ${describeToken(token)}`);
  }
}

function parseItems<T>(stream: TokenStream, open: string, close: string, parse: () => T): T[] {
  const items: T[] = [];
  stream.expect(open);
  while (!stream.is(close)) {
    if (items.length > 0) stream.expect(",");
    if (stream.is(close)) break;
    items.push(parse());
  }
  stream.expect(close);
  return items;
}

function parseEntry(stream: TokenStream): readonly [Expression, Expression] {
  const key = parseExpression(stream);
  stream.expect(":");
  return [key, parseExpression(stream)];
}

function parsePostfix(stream: TokenStream, object: Expression): Expression {
  let value = object;
  for (;;) {
    if (stream.skip(".")) value = parseDot(stream, value);
    else if (stream.is("[")) value = parseSubscript(stream, value);
    else if (stream.is("(")) value = { type: "call", callee: value, ...parseArguments(stream) };
    else return value;
  }
}

function parseDot(stream: TokenStream, object: Expression): Expression {
  const token = stream.next();
  if (token.type === "name") return { type: "attribute", object, name: token.text };
  if (token.type === "integer")
    return { type: "item", object, key: { type: "constant", value: token.value! } };
  return stream.fail("expected a name or a number after the point", token.line);
}

function parseSubscript(stream: TokenStream, object: Expression): Expression {
  stream.expect("[");
  const keys: Expression[] = [];
  while (!stream.is("]")) {
    if (keys.length > 0) stream.expect(",");
    if (stream.is(":")) return parseSlice(stream, object, undefined, keys.length);
    const key = parseExpression(stream);
    if (stream.is(":")) return parseSlice(stream, object, key, keys.length);
    keys.push(key);
  }
  stream.expect("]");
  return {
    type: "item",
    object,
    key: keys.length === 1 ? keys[0]! : { type: "tuple", items: keys },
  };
}

function parseSlice(
  stream: TokenStream,
  object: Expression,
  start: Expression | undefined,
  keysBefore: number,
): Expression {
  if (keysBefore > 0) stream.fail("a slice among several keys is not supported");
  const limits = [start];
  while (stream.skip(":") && limits.length < 3) {
    limits.push(stream.is("]", ",", ":") ? undefined : parseExpression(stream));
  }
  if (stream.is(",")) stream.fail("a slice among several keys is not supported");
  stream.expect("]");
  return { type: "slice", object, limits };
}

/** Parses the arguments of a call in parentheses. */
export function parseArguments(stream: TokenStream): CallArguments {
  const args: Expression[] = [];
  const named: [string, Expression][] = [];
  let spread: Expression | undefined;
  let spreadNamed: Expression | undefined;
  const { line } = stream.expect("(");
  const require = (isRight: boolean) => {
    if (!isRight) stream.fail("invalid syntax for function call expression", line);
  };
  for (let isFirst = true; !stream.is(")"); isFirst = false) {
    if (!isFirst) stream.expect(",");
    if (stream.is(")")) break;
    if (stream.skip("*")) {
      require(spread === undefined && spreadNamed === undefined);
      spread = parseExpression(stream);
    } else if (stream.skip("**")) {
      require(spreadNamed === undefined);
      spreadNamed = parseExpression(stream);
    } else if (stream.is("name") && stream.peek().type === "=") {
      require(spreadNamed === undefined);
      const name = stream.next().text;
      stream.next();
      named.push([name, parseExpression(stream)]);
    } else {
      require(spread === undefined && spreadNamed === undefined && named.length === 0);
      args.push(parseExpression(stream));
    }
  }
  stream.expect(")");
  return { args, named, spread, spreadNamed };
}

const NO_ARGUMENTS: CallArguments = { args: [], named: [] };

function parseFiltersAndTests(stream: TokenStream, input: Expression): Expression {
  let value = input;
  for (;;) {
    if (stream.is("|")) value = parseFilters(stream, value)!;
    else if (stream.isWord("is")) value = parseTest(stream, value);
    else if (stream.is("(")) value = { type: "call", callee: value, ...parseArguments(stream) };
    else return value;
  }
}

/** Parses `| filter | filter`. With `isFirst`, the first filter has no bar before it. */
export function parseFilters(
  stream: TokenStream,
  input: Expression | undefined,
  isFirst = false,
): FilterExpression | undefined {
  let filter: FilterExpression | undefined;
  for (let hasBar = !isFirst; !hasBar || stream.skip("|"); hasBar = true) {
    const { line } = stream.current;
    const name = parseDottedName(stream);
    const args = stream.is("(") ? parseArguments(stream) : NO_ARGUMENTS;
    filter = { type: "filter", input: filter ?? input, name, line, ...args };
  }
  return filter;
}

function parseDottedName(stream: TokenStream): string {
  let name = stream.expect("name").text;
  while (stream.skip(".")) name += `.${stream.expect("name").text}`;
  return name;
}

const ARGUMENT_STARTS = ["name", "string", "integer", "float", "(", "[", "{"];

function parseTest(stream: TokenStream, input: Expression): Expression {
  const { line } = stream.next();
  const isNegated = stream.skipWord("not");
  const name = parseDottedName(stream);
  let args = NO_ARGUMENTS;
  if (stream.is("(")) args = parseArguments(stream);
  else if (stream.is(...ARGUMENT_STARTS) && !stream.isWord("else", "or", "and")) {
    if (stream.isWord("is")) stream.fail("You cannot chain multiple tests with is");
    args = { args: [parsePostfix(stream, parsePrimary(stream))], named: [] };
  }
  const test: Expression = { type: "test", input, name, line, ...args };
  return isNegated ? { type: "not", value: test } : test;
}
