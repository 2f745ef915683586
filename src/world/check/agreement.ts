/** How often the checks that are derived from a task's goal agree with its hand-written verdict about a final state. */

/** A final state with both judgements; true means that the state is right. */
export interface JudgedState {
  /** What led to the state: the solution, doing nothing, or a variant, by its name. */
  readonly variant: string;
  readonly derived: boolean;
  readonly handmade: boolean;
}

export interface Agreement {
  /** The number of final states that were judged twice. */
  readonly verdicts: number;
  readonly agreed: number;
  readonly disagreements: readonly ({ readonly task: string } & JudgedState)[];
}

export function countAgreement(task: string, judged: readonly JudgedState[]): Agreement {
  const apart = judged.filter(({ derived, handmade }) => derived !== handmade);
  return {
    verdicts: judged.length,
    agreed: judged.length - apart.length,
    disagreements: apart.map((one) => ({ task, ...one })),
  };
}

/**
 * Adds up agreements. The result is empty when no task has a verdict, so that reports without verdicts do not change.
 */
export function sumAgreements(all: readonly { readonly agreement?: Agreement }[]): {
  readonly agreement?: Agreement;
} {
  const some = all.flatMap(({ agreement }) => agreement ?? []);
  if (some.length === 0) return {};
  const sum = (of: (agreement: Agreement) => number) =>
    some.reduce((total, agreement) => total + of(agreement), 0);
  return {
    agreement: {
      verdicts: sum(({ verdicts }) => verdicts),
      agreed: sum(({ agreed }) => agreed),
      disagreements: some.flatMap(({ disagreements }) => disagreements),
    },
  };
}
