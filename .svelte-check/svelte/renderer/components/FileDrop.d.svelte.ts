export { default } from "./++FileDrop.svelte.ts";
export * from "./++FileDrop.svelte.ts";
