/** What the tests call in a page: the public API, and every stage's values. */

export * from "./index.js";
export { readTokens } from "./features/tokens.js";
export { affordable } from "./page/fragment.js";
export { trace } from "./trace.js";
