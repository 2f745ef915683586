/** Text with a button that copies it. If the browser refuses, the text is selected instead. */
import { useRef, useState } from "preact/hooks";
import "../style/copy.css";

export function CopyableText({ text, label }: { readonly text: string; readonly label: string }) {
  const code = useRef<HTMLElement>(null);
  const [said, say] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say("Copied.");
    } catch {
      getSelection()?.selectAllChildren(code.current!);
      say("The text is selected: copy it with the keyboard.");
    }
  };
  return (
    <div class="copy">
      <code ref={code}>{text}</code>
      <button type="button" onClick={() => void copy()} aria-label={`Copy ${label}`}>
        Copy
      </button>
      <span class="soft" role="status">
        {said}
      </span>
    </div>
  );
}
