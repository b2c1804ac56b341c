export { default } from "./++RemindDialog.svelte.ts";
export * from "./++RemindDialog.svelte.ts";
