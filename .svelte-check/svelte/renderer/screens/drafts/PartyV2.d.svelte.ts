export { default } from "./++PartyV2.svelte.ts";
export * from "./++PartyV2.svelte.ts";
