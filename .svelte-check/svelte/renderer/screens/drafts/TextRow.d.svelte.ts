export { default } from "./++TextRow.svelte.ts";
export * from "./++TextRow.svelte.ts";
