export { default } from "./++DeadlinesDialog.svelte.ts";
export * from "./++DeadlinesDialog.svelte.ts";
