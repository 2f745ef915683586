/** Whether anyone can see the page: a hidden tab asks for nothing. */
import { useEffect, useState } from "preact/hooks";

export function usePageVisible(): boolean {
  const [visible, set] = useState(() => document.visibilityState !== "hidden");
  useEffect(() => {
    const changed = () => set(document.visibilityState !== "hidden");
    document.addEventListener("visibilitychange", changed);
    return () => document.removeEventListener("visibilitychange", changed);
  }, []);
  return visible;
}

/** Does it again and again while the page is seen, and at once when it is seen again. */
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

/** Asks again whenever `version` counts up; the first number asks for nothing. */
export function useReloadOnChange(loaded: { reload(): void }, version: number): void {
  useEffect(() => {
    if (version > 0) loaded.reload();
  }, [version]);
}
