/** Photos: pictures with when, where and whom they show; albums, comments, links, edits. */
import { defineApp } from "bowline/world";
import { albumApis } from "./albums.ts";
import { browseApis } from "./browse.ts";
import { careApis } from "./care.ts";
import { markApis } from "./marks.ts";
import { sharingApis } from "./sharing.ts";
import { photoTables } from "./tables.ts";
import { talkApis } from "./talk.ts";

export * from "./tables.ts";

export const photos = defineApp({
  name: "photos",
  summary: "The owner's photos, videos and scans; albums, own and of contacts.",
  login: true,
  tables: [...photoTables],
  apis: {
    ...browseApis,
    ...markApis,
    ...albumApis,
    ...sharingApis,
    ...talkApis,
    ...careApis,
  },
});
