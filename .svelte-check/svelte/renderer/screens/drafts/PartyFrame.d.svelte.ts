export { default } from "./++PartyFrame.svelte.ts";
export * from "./++PartyFrame.svelte.ts";
