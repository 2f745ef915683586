#!/usr/bin/env node
/**
 * The `bowline` command. A Node that is too old must be able to read this file, so that it says so in place of a
 * SyntaxError: it imports nothing before it has looked, and keeps to what Node 12 parses.
 */

/** As in package.json's `engines`. */
const MINIMUM_MAJOR = 20;
const MINIMUM_MINOR = 19;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > MINIMUM_MAJOR || (major === MINIMUM_MAJOR && minor >= MINIMUM_MINOR)) {
  void import("./start.ts");
} else {
  process.stderr.write(
    `error: bowline needs Node >= ${MINIMUM_MAJOR}.${MINIMUM_MINOR}, and this is ${process.version}; another is had with: npx -p node@22 bowline\n`,
  );
  process.exitCode = 1;
}
