export { default } from "./++ShareDialog.svelte.ts";
export * from "./++ShareDialog.svelte.ts";
