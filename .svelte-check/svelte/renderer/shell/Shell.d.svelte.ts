export { default } from "./++Shell.svelte.ts";
export * from "./++Shell.svelte.ts";
