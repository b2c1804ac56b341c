export { default } from "./++ConnectionSwitcher.svelte.ts";
export * from "./++ConnectionSwitcher.svelte.ts";
