/** Tabs. The Tab key reaches the chosen tab, arrow keys move among the tabs, and the chosen tab labels the panel. */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import "../style/tabs.css";

export interface Tab {
  readonly id: string;
  readonly name: ComponentChildren;
}

export function Tabs({
  label,
  tabs,
  chosen,
  onChoose,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  /** The panel of the chosen tab. */
  readonly children: ComponentChildren;
}) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const to = nextTabIndex(event.key, at, tabs.length);
    if (to === undefined) return;
    event.preventDefault();
    onChoose(tabs[to]!.id);
    (list.current?.children[to] as HTMLElement | undefined)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === chosen}
            aria-controls="tab-panel"
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${chosen}`} tabIndex={-1}>
        {children}
      </div>
    </>
  );
}

function nextTabIndex(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowRight") return (at + 1) % count;
  if (key === "ArrowLeft") return (at + count - 1) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return undefined;
}
