export { default } from "./++SigningAs.svelte.ts";
export * from "./++SigningAs.svelte.ts";
