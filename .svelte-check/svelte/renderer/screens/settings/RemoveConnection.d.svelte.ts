export { default } from "./++RemoveConnection.svelte.ts";
export * from "./++RemoveConnection.svelte.ts";
