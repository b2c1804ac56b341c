export { default } from "./++Connections.svelte.ts";
export * from "./++Connections.svelte.ts";
