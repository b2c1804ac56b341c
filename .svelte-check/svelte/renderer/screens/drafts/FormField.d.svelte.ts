export { default } from "./++FormField.svelte.ts";
export * from "./++FormField.svelte.ts";
