export { default } from "./++Archive.svelte.ts";
export * from "./++Archive.svelte.ts";
