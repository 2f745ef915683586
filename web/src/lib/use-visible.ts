/** Tells whether the page is visible. A hidden tab sends no requests. */
import { useEffect, useState } from "preact/hooks";

export function usePageVisible(): boolean {
  const [visible, set] = useState(() => document.visibilityState !== "hidden");
  useEffect(() => {
    const updateVisibility = () => set(document.visibilityState !== "hidden");
    document.addEventListener("visibilitychange", updateVisibility);
    return () => document.removeEventListener("visibilitychange", updateVisibility);
  }, []);
  return visible;
}

/** Calls `act` regularly while the page is visible, and at once when it becomes visible again. */
export function usePolling(ms: number, act: () => void): void {
  const visible = usePageVisible();
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    if (!visible) return setHidden(true);
    if (hidden) act();
    const timer = setInterval(act, ms);
    return () => clearInterval(timer);
  }, [visible, ms]);
}

/** Reloads whenever `version` increases from 0. */
export function useReloadOnChange(loaded: { reload(): void }, version: number): void {
  useEffect(() => {
    if (version > 0) loaded.reload();
  }, [version]);
}
