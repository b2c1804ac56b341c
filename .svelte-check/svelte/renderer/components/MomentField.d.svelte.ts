export { default } from "./++MomentField.svelte.ts";
export * from "./++MomentField.svelte.ts";
