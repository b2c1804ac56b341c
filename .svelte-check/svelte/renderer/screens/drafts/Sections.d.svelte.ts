export { default } from "./++Sections.svelte.ts";
export * from "./++Sections.svelte.ts";
