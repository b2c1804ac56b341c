export { default } from "./++SearchField.svelte.ts";
export * from "./++SearchField.svelte.ts";
