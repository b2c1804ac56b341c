export { default } from "./++Unlock.svelte.ts";
export * from "./++Unlock.svelte.ts";
