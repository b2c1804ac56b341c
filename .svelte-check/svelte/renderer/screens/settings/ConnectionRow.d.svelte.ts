export { default } from "./++ConnectionRow.svelte.ts";
export * from "./++ConnectionRow.svelte.ts";
