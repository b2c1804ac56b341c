export { default } from "./++DeleteDialog.svelte.ts";
export * from "./++DeleteDialog.svelte.ts";
