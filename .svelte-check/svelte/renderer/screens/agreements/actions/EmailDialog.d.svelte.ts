export { default } from "./++EmailDialog.svelte.ts";
export * from "./++EmailDialog.svelte.ts";
