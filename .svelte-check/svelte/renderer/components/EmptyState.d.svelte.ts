export { default } from "./++EmptyState.svelte.ts";
export * from "./++EmptyState.svelte.ts";
