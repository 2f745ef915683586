/** Gives tests a user's folder of their own, so that none reads or writes what the person who runs them trusts. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function useTemporaryUserFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "bowline-home-"));
  process.env["BOWLINE_HOME"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
