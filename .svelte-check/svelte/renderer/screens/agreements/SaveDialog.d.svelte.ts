export { default } from "./++SaveDialog.svelte.ts";
export * from "./++SaveDialog.svelte.ts";
