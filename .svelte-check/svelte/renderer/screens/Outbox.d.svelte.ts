export { default } from "./++Outbox.svelte.ts";
export * from "./++Outbox.svelte.ts";
