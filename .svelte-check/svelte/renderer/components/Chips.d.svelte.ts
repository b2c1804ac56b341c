export { default } from "./++Chips.svelte.ts";
export * from "./++Chips.svelte.ts";
