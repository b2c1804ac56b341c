export { default } from "./++SendTimes.svelte.ts";
export * from "./++SendTimes.svelte.ts";
