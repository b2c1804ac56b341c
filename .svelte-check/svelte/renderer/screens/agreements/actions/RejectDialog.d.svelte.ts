export { default } from "./++RejectDialog.svelte.ts";
export * from "./++RejectDialog.svelte.ts";
