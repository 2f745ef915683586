/** Runs both test suites with every case of their sweeps, and the longest tests, for `npm run test:all`. */
import { spawnSync } from "node:child_process";

const env = { ...process.env, BOWLINE_SWEEP: "whole" };
for (const script of ["test", "test:slow"]) {
  const { status } = spawnSync("npm", ["run", script], { env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
