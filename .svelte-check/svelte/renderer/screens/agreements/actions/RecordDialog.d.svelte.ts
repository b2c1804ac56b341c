export { default } from "./++RecordDialog.svelte.ts";
export * from "./++RecordDialog.svelte.ts";
