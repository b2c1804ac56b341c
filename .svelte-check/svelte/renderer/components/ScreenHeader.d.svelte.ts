export { default } from "./++ScreenHeader.svelte.ts";
export * from "./++ScreenHeader.svelte.ts";
