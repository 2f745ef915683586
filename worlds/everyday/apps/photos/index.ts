/** Defines the photos app: photos with their time, place and people, and albums, comments, links and edits. */
import { defineApp } from "bowline/world";
import { albumApis } from "./albums.ts";
import { commentAndLikeApis } from "./comments-and-likes.ts";
import { findingApis } from "./finding-photos.ts";
import { sharingApis } from "./sharing.ts";
import { photoTables } from "./tables.ts";
import { tagAndFaceApis } from "./tags-and-faces.ts";
import { trashAndEditApis } from "./trash-and-edits.ts";

export * from "./tables.ts";

export const photos = defineApp({
  name: "photos",
  summary: "The owner's photos, videos and scans; albums, own and of contacts.",
  login: true,
  tables: [...photoTables],
  apis: {
    ...findingApis,
    ...tagAndFaceApis,
    ...albumApis,
    ...sharingApis,
    ...commentAndLikeApis,
    ...trashAndEditApis,
  },
});
