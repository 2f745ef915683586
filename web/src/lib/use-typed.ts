/** A text that the user types and that is used after a pause in typing, or at once when the user leaves the field. */
import { useEffect, useState } from "preact/hooks";

export interface TypedText {
  readonly typed: string;
  type(text: string): void;
  /** Uses the text now. A field calls this when it loses the focus, so that what the user does next starts from it. */
  use(): void;
}

export function useTyped(
  value: string,
  { pauseMs, onUse }: { readonly pauseMs: number; onUse(text: string): void },
): TypedText {
  const [typed, type] = useState(value);
  const use = () => {
    if (typed.trim() !== value) onUse(typed.trim());
  };
  // A space at the end of what is typed stays.
  useEffect(() => {
    if (typed.trim() !== value) type(value);
  }, [value]);
  // A new value from elsewhere also ends the wait: an address that the user has opened since is not replaced.
  useEffect(() => {
    const timer = setTimeout(use, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return { typed, type, use };
}
