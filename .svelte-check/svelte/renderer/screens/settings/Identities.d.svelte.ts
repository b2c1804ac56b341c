export { default } from "./++Identities.svelte.ts";
export * from "./++Identities.svelte.ts";
