export { default } from "./++JobProgress.svelte.ts";
export * from "./++JobProgress.svelte.ts";
