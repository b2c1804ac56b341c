export { default } from "./++SaveTrouble.svelte.ts";
export * from "./++SaveTrouble.svelte.ts";
