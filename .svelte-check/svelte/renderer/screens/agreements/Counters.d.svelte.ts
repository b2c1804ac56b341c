export { default } from "./++Counters.svelte.ts";
export * from "./++Counters.svelte.ts";
