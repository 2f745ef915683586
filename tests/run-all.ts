/** `npm run test:all`: both suites with every case of their sweeps, and the tests that take longest. */
import { spawnSync } from "node:child_process";

const env = { ...process.env, BOWLINE_SWEEP: "whole" };
for (const script of ["test", "test:slow"]) {
  const { status } = spawnSync("npm", ["run", script], { env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
