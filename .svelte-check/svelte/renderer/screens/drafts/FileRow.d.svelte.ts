export { default } from "./++FileRow.svelte.ts";
export * from "./++FileRow.svelte.ts";
