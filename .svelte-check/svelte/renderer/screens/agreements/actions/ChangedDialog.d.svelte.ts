export { default } from "./++ChangedDialog.svelte.ts";
export * from "./++ChangedDialog.svelte.ts";
