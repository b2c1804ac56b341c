export { default } from "./++Facts.svelte.ts";
export * from "./++Facts.svelte.ts";
