export { default } from "./++Outline.svelte.ts";
export * from "./++Outline.svelte.ts";
