/**
 * Keys of a view. They do nothing while someone types, with a modifier, under an open dialog, or where a control has already
 * answered; arrow keys do nothing inside controls that walk by arrows themselves.
 */
import { useEffect, useRef } from "preact/hooks";

export interface KeyBinding {
  /** As `KeyboardEvent.key`; any of them. */
  readonly keys: readonly string[];
  readonly label: string;
  run(): void;
}

const TYPES_IN = "input, textarea, select, [contenteditable=''], [contenteditable=true]";
const WALKS_IN = "[role=tablist], [role=grid], [role=listbox], .scroll[tabindex]";

/** The binding that a key is for, if it is for any. */
export function bindingOf(
  bindings: readonly KeyBinding[],
  event: Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey" | "defaultPrevented">,
  inside: (selector: string) => boolean,
): KeyBinding | undefined {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return undefined;
  if (inside(TYPES_IN) || inside("dialog[open]")) return undefined;
  if (event.key.startsWith("Arrow") && inside(WALKS_IN)) return undefined;
  return bindings.find(({ keys }) => keys.includes(event.key));
}

/** Listens while the view is there. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const at = event.target instanceof Element ? event.target : null;
      const inside = (selector: string) => at?.closest(selector) != null;
      const binding = bindingOf(latest.current, event, inside);
      if (!binding) return;
      event.preventDefault();
      binding.run();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}
