/** The fourteen apps of the Everyday world, without logins, over one life of their owner, which tests share. */
import { type AppSession, appsUnderTest } from "bowline/testing";
import { Rng } from "bowline/world";
import { fullApps } from "../apps/full.ts";
import { addTraces, makeLife } from "../life/index.ts";
import { NOW } from "../population/time.ts";
import { OWNER } from "./owner.ts";

const apps = appsUnderTest(
  fullApps.map((app) => ({ ...app, login: false })),
  { now: NOW, owner: OWNER },
);
const base = apps.fill((db) => {
  const rng = new Rng(1);
  addTraces(db, rng.child("traces"), makeLife(db, rng.child("life")));
});

/** Opens a session on its own copy of the life. */
export const openEveryday = (): AppSession => apps.open(base);
