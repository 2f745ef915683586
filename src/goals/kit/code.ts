/** Pieces of JavaScript from which solutions are written. */

/** Writes a value as a JavaScript literal. */
export const jsLiteral = (value: unknown): string => JSON.stringify(value);

/** Writes cents as a literal in dollars. */
export const dollarLiteral = (cents: number): string => String(cents / 100);

/** Writes a cell that stores the value of an expression in a variable and prints it. */
export const storeAndPrint = (variable: string, expression: string): string =>
  `var ${variable}=${expression};print(${variable})`;

/** Returns the ids without repetitions, in the order of first appearance. */
export const distinctIds = (ids: readonly number[]): number[] => [...new Set(ids)];
