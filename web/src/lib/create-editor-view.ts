/** Creates the cell editor: keys, syntax colours of the page's theme, and completion from the world's documentation. */
import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightSpecialChars,
  keymap,
  placeholder,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import {
  type CompletionChoice,
  type CursorPlace,
  findCursorPlace,
  listApiChoices,
  listAppChoices,
  listParameterChoices,
} from "./completion.ts";
import { escapeInvisible } from "./invisible-characters.ts";
import type { WorldDocs } from "./world-docs.ts";

export interface EditorOptions {
  /** The label for screen readers. */
  readonly label: string;
  readonly start: string;
  /** Returns the documentation, or undefined until the world is known. */
  readonly docs: () => WorldDocs | undefined;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
}

/** The name of the meta element with the nonce, which the content security policy requires for inserted styles. */
const NONCE_META = "style-nonce";

export function createEditorView(parent: HTMLElement, options: EditorOptions): EditorView {
  const nonce =
    document.querySelector<HTMLMetaElement>(`meta[name="${NONCE_META}"]`)?.content ?? "";
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: options.start,
      extensions: [
        EditorView.cspNonce.of(nonce),
        keyBindings(options.onRun),
        editingExtensions(),
        autocompletion({ override: [completionSource(options.docs)], icons: false }),
        placeholder("print(await apis.me.profile())"),
        EditorView.contentAttributes.of({ "aria-label": options.label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onText(update.state.doc.toString());
        }),
      ],
    }),
  });
}

function keyBindings(onRun: () => void): Extension {
  const runCell = () => {
    onRun();
    return true;
  };
  return [
    Prec.highest(
      keymap.of([
        { key: "Mod-Enter", run: runCell },
        { key: "Ctrl-Enter", run: runCell },
        { key: "Tab", run: acceptCompletion },
      ]),
    ),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
  ];
}

function editingExtensions(): Extension {
  return [
    history(),
    drawSelection(),
    javascript(),
    closeBrackets(),
    bracketMatching(),
    indentOnInput(),
    EditorView.lineWrapping,
    // A recorded cell may contain characters that are invisible or change the direction of reading.
    highlightSpecialChars({
      addSpecialChars: /(?!\t)[\p{Cc}\p{Cf}]/u,
      render: createEscape,
    }),
    syntaxHighlighting(HIGHLIGHT_COLOURS),
  ];
}

function createEscape(code: number, description: string | null): HTMLElement {
  const element = document.createElement("span");
  element.className = "odd";
  element.title = description ?? "an invisible character";
  element.textContent = escapeInvisible(String.fromCodePoint(code));
  return element;
}

const HIGHLIGHT_COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--series-3)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--up)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--before)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.propertyName, color: "var(--after)" },
]);

function completionSource(docs: () => WorldDocs | undefined) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const place = findCursorPlace(context.state, context.pos);
    const known = docs();
    if (!place || !known) return null;
    const choices = await loadChoices(place, known).catch(() => []);
    if (choices.length === 0) return null;
    return { from: place.from, options: choices.map(toCompletion), validFor: /^[\w$]*$/ };
  };
}

async function loadChoices(place: CursorPlace, docs: WorldDocs): Promise<CompletionChoice[]> {
  switch (place.kind) {
    case "app":
      return listAppChoices(await docs.loadApps());
    case "api":
      return listApiChoices(await docs.loadApp(place.app));
    case "parameter":
      return listParameterChoices(await docs.loadApp(place.app), place.api, place.presentNames);
  }
}

/** Converts a choice to the form of CodeMirror. A decreasing `boost` keeps the order of the documentation. */
function toCompletion({ label, detail, info, apply, type }: CompletionChoice, i: number) {
  return {
    label,
    type,
    boost: -Math.min(i, 99),
    ...(info && { info }),
    ...(detail !== undefined && { detail }),
    ...(apply !== undefined && { apply }),
  };
}
