/**
 * Defines the files app: folders, text files with all their earlier texts, and the sharing of files.
 *
 * A call refers to a folder by its path and to a file by its id. A table is a text whose first line names the columns.
 * A bundle keeps copies of files.
 */
import { defineApp } from "bowline/world";
import { bundleApis } from "./bundles.ts";
import { findingApis } from "./finding.ts";
import { folderApis } from "./folders.ts";
import { organisingApis } from "./organising.ts";
import { readingApis } from "./reading.ts";
import { sharingApis } from "./sharing.ts";
import {
  bundledFiles,
  editRequests,
  fileShares,
  folders,
  files as rows,
  versions,
} from "./tables.ts";
import { versionApis } from "./versions.ts";
import { writingApis } from "./writing.ts";

export const files = defineApp({
  name: "files",
  summary: "The owner's files in folders, and files of others that are shared with the owner.",
  tables: [folders, rows, versions, fileShares, editRequests, bundledFiles],
  login: true,
  apis: {
    ...findingApis,
    ...folderApis,
    ...readingApis,
    ...writingApis,
    ...organisingApis,
    ...versionApis,
    ...sharingApis,
    ...bundleApis,
  },
});
