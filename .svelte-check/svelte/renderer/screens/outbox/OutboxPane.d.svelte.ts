export { default } from "./++OutboxPane.svelte.ts";
export * from "./++OutboxPane.svelte.ts";
