export { default } from "./++SilenceDialog.svelte.ts";
export * from "./++SilenceDialog.svelte.ts";
