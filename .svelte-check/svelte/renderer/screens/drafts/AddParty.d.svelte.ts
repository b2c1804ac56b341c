export { default } from "./++AddParty.svelte.ts";
export * from "./++AddParty.svelte.ts";
