/** Addresses of results. A file is read again only when it has changed; one that is no result is remembered as none. */
import { setImmediate } from "node:timers/promises";
import type { DocumentList, StudioDocument } from "../../../spec/studio/index.ts";
import type { Route } from "../routes.ts";
import { type Inside, markOf, type Runs, readSmallJson } from "../runs/index.ts";
import { StudioError } from "../studio-error.ts";
import { findJson, type JsonFile } from "./find-documents.ts";
import { recognise } from "./recognise.ts";
import type { Recognised } from "./section.ts";

export function documentRoutes({ inside }: Pick<Runs, "inside">): Route[] {
  const documents = documentStore(inside);
  return [
    {
      method: "GET",
      pattern: "documents",
      answer: async () => ({ json: await listOf(await documents()) }),
    },
    {
      method: "GET",
      pattern: "documents/:document",
      answer: async (_, { document: id }) => {
        const found = (await documents()).find(({ file }) => file.id === id);
        if (found) return { json: documentOf(found) };
        throw new StudioError(404, `there is no result ${JSON.stringify(id!.slice(0, 200))} here`);
      },
    },
  ];
}

interface Found {
  readonly file: JsonFile;
  readonly result: Recognised;
}

const listOf = (documents: readonly Found[]): DocumentList => ({
  documents: documents.map(({ file: { id, changedMs }, result: { kind, title } }) => {
    return { id, kind, title, changedMs };
  }),
});

function documentOf({ file: { id, changedMs }, result }: Found): StudioDocument {
  const { kind, title, sections } = result;
  return { id, kind, title, changedMs, sections: sections() };
}

function documentStore(inside: Inside): () => Promise<Found[]> {
  let kept = new Map<string, { mark: string; result: Recognised | undefined }>();
  return async () => {
    const files = await findJson(inside);
    const now: typeof kept = new Map();
    for (const { path } of files) {
      const mark = markOf(inside.at(path));
      const known = kept.get(path);
      now.set(path, known?.mark === mark ? known : { mark, result: await read(inside, path) });
    }
    kept = now;
    return files.flatMap((file) => {
      const { result } = now.get(file.path)!;
      return result ? [{ file, result }] : [];
    });
  };
}

/** Others go first: a folder may hold many. */
async function read(inside: Inside, path: string): Promise<Recognised | undefined> {
  await setImmediate();
  const json = readSmallJson(path, inside.at(path));
  return "value" in json ? recognise(json.value) : undefined;
}
