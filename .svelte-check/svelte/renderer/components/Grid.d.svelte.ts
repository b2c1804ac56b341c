export { default } from "./++Grid.svelte.ts";
export * from "./++Grid.svelte.ts";
