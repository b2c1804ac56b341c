export { default } from "./++Diagnostics.svelte.ts";
export * from "./++Diagnostics.svelte.ts";
