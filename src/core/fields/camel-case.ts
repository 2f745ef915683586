/** Converts a path with hyphens, as a person may write it on the command line, to a field's path: `algo.groupSize`. */
export function toCamelCase(path: string): string {
  return path.replace(/-+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
