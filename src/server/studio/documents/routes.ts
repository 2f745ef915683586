/** Routes of results. A file is read again only after a change; files that are not results are remembered as well. */
import { setImmediate } from "node:timers/promises";
import type { DocumentList, StudioDocument } from "../../../spec/studio/index.ts";
import type { Route } from "../routes.ts";
import { computeFingerprint, type Runs, readSmallJson, type StudioFolder } from "../runs/index.ts";
import { StudioError } from "../studio-error.ts";
import { findJsonFiles, type JsonFile } from "./find-documents.ts";
import { recogniseResult } from "./recognise.ts";
import type { RecognisedResult } from "./section.ts";

export function documentRoutes({ folder }: Pick<Runs, "folder">): Route[] {
  const documents = createDocumentReader(folder);
  return [
    {
      method: "GET",
      pattern: "documents",
      answer: async () => ({ json: await buildDocumentList(await documents()) }),
    },
    {
      method: "GET",
      pattern: "documents/:document",
      answer: async (_, { document: id }) => {
        const found = (await documents()).find(({ file }) => file.id === id);
        if (found) return { json: buildDocument(found) };
        throw new StudioError(
          404,
          `there is no result ${JSON.stringify(id!.slice(0, 200))} in the studio's folder`,
        );
      },
    },
  ];
}

interface FoundDocument {
  readonly file: JsonFile;
  readonly result: RecognisedResult;
}

const buildDocumentList = (documents: readonly FoundDocument[]): DocumentList => ({
  documents: documents.map(({ file: { id, changedMs }, result: { kind, title } }) => {
    return { id, kind, title, changedMs };
  }),
});

function buildDocument({ file: { id, changedMs }, result }: FoundDocument): StudioDocument {
  const { kind, title, sections } = result;
  return { id, kind, title, changedMs, sections: sections() };
}

function createDocumentReader(folder: StudioFolder): () => Promise<FoundDocument[]> {
  let cache = new Map<string, { fingerprint: string; result: RecognisedResult | undefined }>();
  return async () => {
    const files = await findJsonFiles(folder);
    const newCache: typeof cache = new Map();
    for (const { path } of files) {
      const fingerprint = computeFingerprint(folder.inspect(path));
      const known = cache.get(path);
      newCache.set(
        path,
        known?.fingerprint === fingerprint
          ? known
          : { fingerprint, result: await readDocument(folder, path) },
      );
    }
    cache = newCache;
    return files.flatMap((file) => {
      const { result } = newCache.get(file.path)!;
      return result ? [{ file, result }] : [];
    });
  };
}

/** Reads and recognises a file. It first yields to other requests, because a folder may hold many files. */
async function readDocument(
  folder: StudioFolder,
  path: string,
): Promise<RecognisedResult | undefined> {
  await setImmediate();
  const json = readSmallJson(path, folder.inspect(path));
  return "value" in json ? recogniseResult(json.value) : undefined;
}
