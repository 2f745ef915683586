/** A stretch of text on its way from the input to tokens. */
export interface Segment {
  readonly text: string;
  /**
   * How many of its first code units come from the first character of the whole input. `Metaspace` with the scheme
   * `first` asks for that, and normalizers may have replaced the character by several or removed it.
   */
  readonly head: number;
}

/** Returns the segment with another text, in which each character comes from the same place as before. */
export function mapSegment({ text, head }: Segment, change: (text: string) => string): Segment {
  const changed = change(text);
  return { text: changed, head: head === 0 ? 0 : change(text.slice(0, head)).length };
}

/** Returns the segment with a text before it, which comes from where the segment starts. */
export function prependToSegment({ text, head }: Segment, prefix: string): Segment {
  return { text: prefix + text, head: head === 0 ? 0 : head + prefix.length };
}
