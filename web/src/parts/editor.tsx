/**
 * The editor of a cell: a component that creates a CodeMirror editor and destroys it when it is removed.
 *
 * Ctrl+Enter (Cmd+Enter on a Mac) runs the cell. Tab leaves the editor, as everywhere on the page. But if a list of
 * completions is open, Tab inserts the first of them. Completions are loaded when they are needed.
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
    // The editor's code is loaded only when a cell editor is shown.
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
