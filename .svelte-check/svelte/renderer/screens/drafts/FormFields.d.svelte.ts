export { default } from "./++FormFields.svelte.ts";
export * from "./++FormFields.svelte.ts";
