/**
 * Restores the scroll position when the user goes back. Every entry of the history gets a name, under which its
 * position is remembered. A view loads its content after it appears, so the page is scrolled again while it grows.
 */
import { useEffect, useLayoutEffect } from "preact/hooks";

/** How long a growing page is scrolled to the remembered position. */
const MAX_GROWTH_MS = 4000;

const positions = new Map<string, number>();
let current = "";

/** Remembers the position of this entry, and restores it when the entry with this path is entered again. */
export function useScrollMemory(path: string): void {
  useEffect(() => {
    const remember = () => positions.set(current, scrollY);
    addEventListener("scroll", remember, { passive: true });
    return () => removeEventListener("scroll", remember);
  }, []);
  useLayoutEffect(() => {
    const known = (history.state as { entry?: string } | null)?.entry;
    current = known ?? nameEntry();
    const target = known === undefined ? 0 : (positions.get(known) ?? scrollY);
    return scrollWhileGrowing(target);
  }, [path]);
}

function nameEntry(): string {
  const entry = String(performance.timeOrigin + performance.now());
  history.replaceState({ entry }, "");
  return entry;
}

/** Scrolls to the position, and again while the page grows, until the position is reached or the user acts. */
function scrollWhileGrowing(target: number): () => void {
  const stop = new AbortController();
  const grown = new ResizeObserver(() => {
    scrollTo(0, target);
    if (Math.abs(scrollY - target) < 2) stop.abort();
  });
  stop.signal.addEventListener("abort", () => grown.disconnect());
  for (const event of ["wheel", "keydown", "pointerdown", "touchstart"])
    addEventListener(event, () => stop.abort(), { signal: stop.signal, passive: true });
  setTimeout(() => stop.abort(), MAX_GROWTH_MS);
  scrollTo(0, target);
  grown.observe(document.body);
  return () => stop.abort();
}
