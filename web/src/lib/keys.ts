/**
 * Keyboard shortcuts of a view. Keys are ignored while the user types, with a modifier key, under an open dialog, or if
 * a control has already handled them. Arrow keys are also ignored inside controls that use them.
 */
import { useLayoutEffect, useRef } from "preact/hooks";

export interface KeyBinding {
  /** The keys that run the binding, by their names in `KeyboardEvent.key`. */
  readonly keys: readonly string[];
  readonly label: string;
  run(): void;
}

const TYPING_SELECTOR = "input, textarea, select, [contenteditable=''], [contenteditable=true]";
const ARROW_KEY_SELECTOR = "[role=tablist], [role=grid], [role=listbox], .scroll[tabindex]";

/** Returns the binding of a key; undefined if the key has none or must be ignored. */
export function findBinding(
  bindings: readonly KeyBinding[],
  event: Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey" | "defaultPrevented">,
  isInside: (selector: string) => boolean,
): KeyBinding | undefined {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return undefined;
  if (isInside(TYPING_SELECTOR) || isInside("dialog[open]")) return undefined;
  if (event.key.startsWith("Arrow") && isInside(ARROW_KEY_SELECTOR)) return undefined;
  return bindings.find(({ keys }) => keys.includes(event.key));
}

/**
 * Listens to keys while the view is shown. Until the view is `ready`, which means that its data is loaded, the last
 * pressed key is kept. It runs as soon as the view is ready.
 */
export function useKeyBindings(bindings: readonly KeyBinding[], ready: boolean): void {
  const latest = useRef({ bindings, ready });
  const waiting = useRef<string | undefined>(undefined);
  latest.current = { bindings, ready };
  const runBinding = (binding: KeyBinding) => {
    waiting.current = undefined;
    binding.run();
  };
  // This is a layout effect, so that no key is lost between two views.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const at = event.target instanceof Element ? event.target : null;
      const isInside = (selector: string) => at?.closest(selector) != null;
      const binding = findBinding(latest.current.bindings, event, isInside);
      if (!binding) return;
      event.preventDefault();
      if (latest.current.ready) runBinding(binding);
      else waiting.current = event.key;
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  useLayoutEffect(() => {
    const key = waiting.current;
    const binding = ready && key && bindings.find(({ keys }) => keys.includes(key));
    if (binding) runBinding(binding);
  }, [ready]);
}
