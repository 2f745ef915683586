/** The syntax tree of a template. */
import type { Operator } from "../python/arithmetic.ts";
import type { Order } from "../python/compare.ts";
import type { Scope } from "./scope.ts";

export interface CallArguments {
  readonly args: readonly Expression[];
  readonly named: readonly (readonly [name: string, value: Expression])[];
  /** The values of `*args` and `**named`. */
  readonly spread?: Expression | undefined;
  readonly spreadNamed?: Expression | undefined;
}

export type Comparison = Order | "==" | "!=" | "in" | "not in";

export type Expression =
  | { readonly type: "constant"; readonly value: null | boolean | bigint | number | string }
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "list" | "tuple"; readonly items: readonly Expression[] }
  | { readonly type: "dict"; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly type: "attribute"; readonly object: Expression; readonly name: string }
  | { readonly type: "item"; readonly object: Expression; readonly key: Expression }
  | {
      readonly type: "slice";
      readonly object: Expression;
      /** The start, stop and step. */
      readonly limits: readonly (Expression | undefined)[];
    }
  | ({ readonly type: "call"; readonly callee: Expression } & CallArguments)
  | ({
      readonly type: "filter";
      /** It is undefined for the text of a block. */
      readonly input: Expression | undefined;
      readonly name: string;
      readonly line: number;
    } & CallArguments)
  | ({
      readonly type: "test";
      readonly input: Expression;
      readonly name: string;
      readonly line: number;
    } & CallArguments)
  | {
      readonly type: "choice";
      readonly test: Expression;
      readonly yes: Expression;
      readonly no: Expression | undefined;
    }
  | { readonly type: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | { readonly type: "not"; readonly value: Expression }
  | { readonly type: "sign"; readonly sign: "-" | "+"; readonly value: Expression }
  | {
      readonly type: "operation";
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly type: "concatenation"; readonly parts: readonly Expression[] }
  | {
      readonly type: "comparison";
      readonly first: Expression;
      readonly rest: readonly (readonly [Comparison, Expression])[];
    };

export type FilterExpression = Extract<Expression, { type: "filter" }>;
export type CallExpression = Extract<Expression, { type: "call" }>;

/** What a value is assigned to: a name, an attribute of a namespace, or several of them. */
export type Target =
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "namespace-attribute"; readonly name: string; readonly attribute: string }
  | { readonly type: "targets"; readonly items: readonly Target[] };

export interface Parameter {
  readonly name: string;
  readonly fallback: Expression | undefined;
}

/** The body of a macro or of a call block. */
export interface MacroBody {
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
  /** The variables that the call defines: `caller`, `kwargs` and `varargs`, as far as the body reads them. */
  special: ReadonlySet<string>;
  scope?: Scope;
}

export interface ForStatement {
  readonly type: "for";
  readonly target: Target;
  readonly iterable: Expression;
  readonly test: Expression | undefined;
  readonly recursive: boolean;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
  /** The scopes of the body, of `else` and of the test. */
  scopes?: { readonly body: Scope; readonly otherwise: Scope; readonly test: Scope };
}

export interface IfStatement {
  readonly type: "if";
  /** The branches of `if` and `elif`. */
  readonly branches: readonly { readonly test: Expression; readonly body: readonly Statement[] }[];
  readonly otherwise: readonly Statement[];
}

export type Statement =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "print"; readonly value: Expression }
  | ForStatement
  | IfStatement
  | { readonly type: "set"; readonly target: Target; readonly value: Expression }
  | {
      readonly type: "set-block";
      readonly target: Target;
      readonly filter: FilterExpression | undefined;
      readonly body: readonly Statement[];
      scope?: Scope;
    }
  | {
      readonly type: "filter-block";
      readonly filter: FilterExpression;
      readonly body: readonly Statement[];
      scope?: Scope;
    }
  | {
      readonly type: "with";
      readonly targets: readonly Target[];
      readonly values: readonly Expression[];
      readonly body: readonly Statement[];
      scope?: Scope;
    }
  | { readonly type: "macro"; readonly name: string; readonly macro: MacroBody }
  | { readonly type: "call-block"; readonly call: CallExpression; readonly macro: MacroBody }
  /** The text of an answer in transformers' `{% generation %}`. */
  | { readonly type: "generation"; readonly macro: MacroBody }
  | { readonly type: "break" | "continue" };

/** Calls a function for the direct subexpressions of an expression. */
export function visitSubexpressions(node: Expression, visit: (child: Expression) => void): void {
  switch (node.type) {
    case "constant":
    case "name":
      return;
    case "list":
    case "tuple":
      node.items.forEach(visit);
      return;
    case "dict":
      node.entries.flat().forEach(visit);
      return;
    case "attribute":
      visit(node.object);
      return;
    case "item":
      [node.object, node.key].forEach(visit);
      return;
    case "slice":
      for (const child of [node.object, ...node.limits]) if (child) visit(child);
      return;
    case "call":
      [node.callee, ...listArguments(node)].forEach(visit);
      return;
    case "filter":
    case "test":
      [...(node.input ? [node.input] : []), ...listArguments(node)].forEach(visit);
      return;
    case "choice":
      [node.test, node.yes, ...(node.no ? [node.no] : [])].forEach(visit);
      return;
    case "and":
    case "or":
    case "operation":
      [node.left, node.right].forEach(visit);
      return;
    case "not":
    case "sign":
      visit(node.value);
      return;
    case "concatenation":
      node.parts.forEach(visit);
      return;
    case "comparison":
      [node.first, ...node.rest.map(([, value]) => value)].forEach(visit);
      return;
    default:
      node satisfies never;
  }
}

function listArguments({ args, named, spread, spreadNamed }: CallArguments): Expression[] {
  const values = [...args, ...named.map(([, value]) => value)];
  return [...values, ...(spread ? [spread] : []), ...(spreadNamed ? [spreadNamed] : [])];
}
