/**
 * The keys that work in every view: Ctrl-K asks where to go and lists runs and pages, and `?` lists the keys where the
 * view has no list of its own.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunList } from "../../../src/spec/studio/index.ts";
import { navigateTo, parseAddress } from "../lib/address.ts";
import { listPlaces } from "../lib/go-to.ts";
import { escapeInvisible } from "../lib/invisible-characters.ts";
import { type KeyBinding, useKeyBindings } from "../lib/keys.ts";
import { useApi } from "../lib/use-api.ts";
import { KeysDialog } from "./keys-dialog.tsx";

export function GlobalKeys() {
  const keys = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey)
        return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  const bindings: readonly KeyBinding[] = [
    { keys: ["?"], label: "show this list", run: () => keys.current?.showModal() },
  ];
  useKeyBindings(bindings, true);
  return (
    <>
      <KeysDialog bindings={bindings} dialog={keys} />
      {isOpen && <GoToDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function GoToDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const runs = useApi<RunList>(["runs"]).value?.runs ?? [];
  const { path } = parseAddress(location.hash);
  const places = listPlaces(runs, path[0] === "runs" ? path[1] : undefined, text);
  const chosen = Math.min(at, places.length - 1);
  useEffect(() => dialog.current?.showModal(), []);
  const open = (address: string | undefined) => {
    if (address === undefined) return;
    dialog.current?.close();
    navigateTo(address);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt(Math.max(0, Math.min(places.length - 1, chosen + step)));
    else if (event.key === "Enter") open(places[chosen]?.address);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="keys go-to" aria-label="Go to" onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label="Go to a run or a page"
        aria-expanded="true"
        aria-controls="go-to-places"
        aria-activedescendant={chosen < 0 ? undefined : `go-to-${chosen}`}
        placeholder="a run or a page"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="go-to-places" role="listbox" aria-label="Places">
        {places.map(({ name, kind, address }, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above opens the chosen place by Enter
          <div
            key={address}
            id={`go-to-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            onClick={() => open(address)}
          >
            {escapeInvisible(name)} <span class="soft">{kind}</span>
          </div>
        ))}
      </div>
      {places.length === 0 && <p class="note">Nothing has these words.</p>}
    </dialog>
  );
}
