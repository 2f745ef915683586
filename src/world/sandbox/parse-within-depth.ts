/**
 * Parses code up to a depth of nesting that is counted.
 *
 * Without the count, the parser recurses until the thread's stack is full. Where that happens depends on what V8 has
 * compiled by then, so the same code would be refused with different messages, or once be refused and once run.
 */
import { type Options, Parser, type Program } from "acorn";
import { errorMessage } from "../../core/index.ts";

/**
 * The most nested calls of the methods below. A pair of brackets takes three of them and a term of a sum one. The stack
 * of a world worker (8 MB) has room for twice as many.
 */
const MAX_DEPTH = 6000;

/** Every recursion of the parser passes through one of these methods. */
const RECURSIVE_METHODS = [
  "parseStatement",
  "parseMaybeAssign",
  "parseMaybeUnary",
  "parseExprOp",
  "parseExprAtom",
  "parseBindingAtom",
  "regexp_disjunction",
  "regexp_classContents",
] as const;

/** The code is nested too deeply to be parsed. */
export class NestingError extends Error {}

type Method = (this: CountingParser, ...args: unknown[]) => unknown;
type Methods = Record<string, Method>;
interface CountingParser {
  nestingDepth: number;
}

const DepthLimitedParser = Parser.extend((Base: typeof Parser) => {
  const Limited = class extends Base {};
  const inherited = Base.prototype as unknown as Methods;
  const methods = Limited.prototype as unknown as Methods & CountingParser;
  methods.nestingDepth = 0;
  for (const name of RECURSIVE_METHODS) {
    const method = inherited[name]!;
    methods[name] = function (...args) {
      // The count is not restored after an error, because an error ends the parser.
      if (++this.nestingDepth > MAX_DEPTH) throw new NestingError();
      const parsed = method.apply(this, args);
      this.nestingDepth -= 1;
      return parsed;
    };
  }
  return Limited;
});

/** Parses a program. Throws a SyntaxError, or a NestingError when it is nested too deeply. */
export function parseWithinDepth(code: string, options: Options): Program {
  try {
    return DepthLimitedParser.parse(code, options);
  } catch (error) {
    // A thread with a smaller stack than a world worker's.
    if (error instanceof RangeError || /stack space/.test(errorMessage(error)))
      throw new NestingError();
    throw error;
  }
}
