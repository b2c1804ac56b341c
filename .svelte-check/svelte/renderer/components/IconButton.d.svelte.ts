export { default } from "./++IconButton.svelte.ts";
export * from "./++IconButton.svelte.ts";
