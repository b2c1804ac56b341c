export { default } from "./++InfoDialog.svelte.ts";
export * from "./++InfoDialog.svelte.ts";
