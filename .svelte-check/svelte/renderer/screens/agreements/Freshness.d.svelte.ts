export { default } from "./++Freshness.svelte.ts";
export * from "./++Freshness.svelte.ts";
