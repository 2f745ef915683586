#!/usr/bin/env node
/**
 * The `bowline` command. Even an old version of Node must be able to read this file, so that it can print that Node is
 * too old. So the file uses only syntax that Node 12 parses, and imports nothing before it has checked the version.
 */

// `engines` in package.json must name the same version.
const MINIMUM_MAJOR = 20;
const MINIMUM_MINOR = 19;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > MINIMUM_MAJOR || (major === MINIMUM_MAJOR && minor >= MINIMUM_MINOR)) {
  void import("./start.ts");
} else {
  process.stderr.write(
    `error: bowline needs Node >= ${MINIMUM_MAJOR}.${MINIMUM_MINOR}, and this is ${process.version}; to use another one: npx -p node@22 bowline\n`,
  );
  process.exitCode = 1;
}
