export { default } from "./++SigningOutcome.svelte.ts";
export * from "./++SigningOutcome.svelte.ts";
