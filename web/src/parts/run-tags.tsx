/** Tags of a run, each of which leads to the runs that have it. */
import { buildAddress } from "../lib/address.ts";
import { RecordedText } from "./recorded-text.tsx";
import "../style/run-notes.css";

export function RunTags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul class="tags plain" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a class="run-tag" href={buildAddress([], { tag })}>
            <RecordedText text={tag} />
          </a>
        </li>
      ))}
    </ul>
  );
}
