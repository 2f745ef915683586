/** Makes onnxruntime-node look as if it were not installed, when loaded with `node --import`. */
import Module from "node:module";

const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => {
  if (name !== "onnxruntime-node") return resolve(name, ...rest);
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: "MODULE_NOT_FOUND" });
};
