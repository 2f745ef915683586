/**
 * Where a cell is written: CodeMirror, as a part that owns it for as long as it is shown.
 *
 * Ctrl+Enter (Cmd+Enter on a Mac) runs the cell. Tab leaves the editor, as everywhere on the page, unless a list of completions is
 * open, which it then takes the first of. What may stand at the cursor is asked for when it is needed.
 */
import type { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import type { WorldDocs } from "../lib/world-docs.ts";
import "../style/editor.css";

export interface CellEditor {
  focus(): void;
  clear(): void;
}

export function CodeEditor({
  label,
  docs,
  start = "",
  onText,
  onRun,
  onReady,
}: {
  readonly label: string;
  readonly docs: WorldDocs | undefined;
  readonly start?: string;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
  readonly onReady?: (editor: CellEditor) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef({ docs, onText, onRun });
  latest.current = { docs, onText, onRun };
  useEffect(() => {
    let view: EditorView | undefined;
    let gone = false;
    // Only who writes a cell waits for the editor's code.
    void import("../lib/create-editor-view.ts").then(({ createEditorView: editorSetup }) => {
      if (gone) return;
      view = editorSetup(place.current!, {
        label,
        start,
        docs: () => latest.current.docs,
        onText: (text) => latest.current.onText(text),
        onRun: () => latest.current.onRun(),
      });
      onReady?.(createHandle(view));
    });
    return () => {
      gone = true;
      view?.destroy();
    };
  }, []);
  return <div class="editor" ref={place} />;
}

function createHandle(view: EditorView): CellEditor {
  return {
    focus: () => view.focus(),
    clear: () => view.dispatch({ changes: { from: 0, to: view.state.doc.length } }),
  };
}
