export { default } from "./++Sending.svelte.ts";
export * from "./++Sending.svelte.ts";
