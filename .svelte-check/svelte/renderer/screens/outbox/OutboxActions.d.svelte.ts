export { default } from "./++OutboxActions.svelte.ts";
export * from "./++OutboxActions.svelte.ts";
