/** The error of a pattern that is not supported. Its message says what in the pattern is not supported. */
export class PatternError extends Error {}
