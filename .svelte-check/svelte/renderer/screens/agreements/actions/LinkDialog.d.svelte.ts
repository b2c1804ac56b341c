export { default } from "./++LinkDialog.svelte.ts";
export * from "./++LinkDialog.svelte.ts";
