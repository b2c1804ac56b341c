export { default } from "./++PartyV1.svelte.ts";
export * from "./++PartyV1.svelte.ts";
