export { default } from "./++StateBadge.svelte.ts";
export * from "./++StateBadge.svelte.ts";
