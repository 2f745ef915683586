/**
 * Where a cell is written: CodeMirror, as a part that owns it for as long as it is shown.
 *
 * Ctrl+Enter (Cmd+Enter on a Mac) runs the cell. Tab leaves the editor, as everywhere on the page, unless a list of completions is
 * open, which it then takes the first of. What may stand at the cursor is asked for when it is needed.
 */
import { useEffect, useRef } from "preact/hooks";
import type { CellDocs } from "../lib/cell-docs.ts";
import { editorSetup } from "../lib/editor-setup.ts";
import "../style/editor.css";

export interface CellEditor {
  focus(): void;
  clear(): void;
}

export function Editor({
  label,
  docs,
  start = "",
  onText,
  onRun,
  onReady,
}: {
  readonly label: string;
  readonly docs: CellDocs | undefined;
  readonly start?: string;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
  readonly onReady?: (editor: CellEditor) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef({ docs, onText, onRun });
  latest.current = { docs, onText, onRun };
  useEffect(() => {
    const view = editorSetup(place.current!, {
      label,
      start,
      docs: () => latest.current.docs,
      onText: (text) => latest.current.onText(text),
      onRun: () => latest.current.onRun(),
    });
    onReady?.({
      focus: () => view.focus(),
      clear: () => view.dispatch({ changes: { from: 0, to: view.state.doc.length } }),
    });
    return () => view.destroy();
  }, []);
  return <div class="editor" ref={place} />;
}
