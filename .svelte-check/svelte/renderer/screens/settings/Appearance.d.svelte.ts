export { default } from "./++Appearance.svelte.ts";
export * from "./++Appearance.svelte.ts";
