export { default } from "./++NewDraft.svelte.ts";
export * from "./++NewDraft.svelte.ts";
