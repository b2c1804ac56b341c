export { default } from "./++EditorHeader.svelte.ts";
export * from "./++EditorHeader.svelte.ts";
