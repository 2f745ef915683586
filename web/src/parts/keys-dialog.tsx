/** A list of a view's keys in a native dialog, which keeps the focus inside and is closed with Esc. */
import type { Ref } from "preact";
import type { KeyBinding } from "../lib/keys.ts";
import "../style/keys-dialog.css";

const KEY_SYMBOLS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

/** The dialog, which is opened with `ref.current?.showModal()`. */
export function KeysDialog({
  bindings,
  dialog,
}: {
  readonly bindings: readonly KeyBinding[];
  readonly dialog: Ref<HTMLDialogElement>;
}) {
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>
        {bindings.map(({ keys, label }) => (
          <div key={label}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{KEY_SYMBOLS[key] ?? key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Ctrl</kbd>
            <kbd>K</kbd>
          </dt>
          <dd>go to a run or a page</dd>
        </div>
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
