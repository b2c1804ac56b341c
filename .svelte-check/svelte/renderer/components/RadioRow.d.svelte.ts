export { default } from "./++RadioRow.svelte.ts";
export * from "./++RadioRow.svelte.ts";
