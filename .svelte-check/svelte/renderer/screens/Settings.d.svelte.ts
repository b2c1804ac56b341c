export { default } from "./++Settings.svelte.ts";
export * from "./++Settings.svelte.ts";
