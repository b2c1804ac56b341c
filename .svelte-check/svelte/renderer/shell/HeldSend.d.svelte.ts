export { default } from "./++HeldSend.svelte.ts";
export * from "./++HeldSend.svelte.ts";
