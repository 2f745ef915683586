/** Code of solutions: literals, and the cells that leave what they find in a variable and print it. */

/** A value as a literal of the agents' language. */
export const jsLiteral = (value: unknown): string => JSON.stringify(value);

/** Cents as a literal in dollars. */
export const dollarLiteral = (cents: number): string => String(cents / 100);

/** A cell that leaves the value of an expression in a variable. */
export const storeAndPrint = (variable: string, expression: string): string =>
  `var ${variable}=${expression};print(${variable})`;

/** Distinct ids, in the order of their first appearance. */
export const distinctIds = (ids: readonly number[]): number[] => [...new Set(ids)];
