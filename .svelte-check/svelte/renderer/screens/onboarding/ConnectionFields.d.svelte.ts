export { default } from "./++ConnectionFields.svelte.ts";
export * from "./++ConnectionFields.svelte.ts";
