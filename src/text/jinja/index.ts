/** Runs Jinja templates with the results of Python's library and transformers. */
export { TemplateRaisedError } from "./library/globals.ts";
export { compileTemplate, type Template } from "./template.ts";
