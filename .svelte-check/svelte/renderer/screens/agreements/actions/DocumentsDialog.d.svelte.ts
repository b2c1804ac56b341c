export { default } from "./++DocumentsDialog.svelte.ts";
export * from "./++DocumentsDialog.svelte.ts";
