export { default } from "./++SigningQueue.svelte.ts";
export * from "./++SigningQueue.svelte.ts";
