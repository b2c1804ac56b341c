export { default } from "./++ActionDialogs.svelte.ts";
export * from "./++ActionDialogs.svelte.ts";
