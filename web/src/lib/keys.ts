/**
 * Keys of a view. They do nothing while someone types, with a modifier, under an open dialog, or where a control has already
 * answered; arrow keys do nothing inside controls that walk by arrows themselves.
 */
import { useLayoutEffect, useRef } from "preact/hooks";

export interface KeyBinding {
  /** As `KeyboardEvent.key`; any of them. */
  readonly keys: readonly string[];
  readonly label: string;
  run(): void;
}

const TYPING_SELECTOR = "input, textarea, select, [contenteditable=''], [contenteditable=true]";
const ARROW_KEY_SELECTOR = "[role=tablist], [role=grid], [role=listbox], .scroll[tabindex]";

/** The binding that a key is for, if it is for any. */
export function findBinding(
  bindings: readonly KeyBinding[],
  event: Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey" | "defaultPrevented">,
  inside: (selector: string) => boolean,
): KeyBinding | undefined {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return undefined;
  if (inside(TYPING_SELECTOR) || inside("dialog[open]")) return undefined;
  if (event.key.startsWith("Arrow") && inside(ARROW_KEY_SELECTOR)) return undefined;
  return bindings.find(({ keys }) => keys.includes(event.key));
}

/**
 * Listens while the view is there. Where it is not `ready` (what its keys act on is still being read), the key pressed last waits
 * until it is.
 */
export function useKeyBindings(bindings: readonly KeyBinding[], ready: boolean): void {
  const latest = useRef({ bindings, ready });
  const waiting = useRef<string | undefined>(undefined);
  latest.current = { bindings, ready };
  const run = (binding: KeyBinding) => {
    waiting.current = undefined;
    binding.run();
  };
  // As the view is put on the page, so that no key falls between two views.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const at = event.target instanceof Element ? event.target : null;
      const inside = (selector: string) => at?.closest(selector) != null;
      const binding = findBinding(latest.current.bindings, event, inside);
      if (!binding) return;
      event.preventDefault();
      if (latest.current.ready) run(binding);
      else waiting.current = event.key;
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  useLayoutEffect(() => {
    const key = waiting.current;
    const binding = ready && key && bindings.find(({ keys }) => keys.includes(key));
    if (binding) run(binding);
  }, [ready]);
}
