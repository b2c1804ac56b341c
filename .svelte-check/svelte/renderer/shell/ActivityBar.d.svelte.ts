export { default } from "./++ActivityBar.svelte.ts";
export * from "./++ActivityBar.svelte.ts";
