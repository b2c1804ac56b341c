export { default } from "./++Dates.svelte.ts";
export * from "./++Dates.svelte.ts";
