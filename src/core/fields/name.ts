/** A field's path as a person may write it, `algo.group-size`, as it is: `algo.groupSize`. */
export function camelCase(path: string): string {
  return path.replace(/-+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
