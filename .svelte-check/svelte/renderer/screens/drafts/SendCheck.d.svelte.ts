export { default } from "./++SendCheck.svelte.ts";
export * from "./++SendCheck.svelte.ts";
