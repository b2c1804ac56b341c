export { default } from "./++SigningSide.svelte.ts";
export * from "./++SigningSide.svelte.ts";
