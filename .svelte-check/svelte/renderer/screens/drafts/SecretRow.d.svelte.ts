export { default } from "./++SecretRow.svelte.ts";
export * from "./++SecretRow.svelte.ts";
