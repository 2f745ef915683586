/** Fields that were given: what may be undefined at an edge is absent behind it. */

/** A copy without the fields that are undefined. */
export function given<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
