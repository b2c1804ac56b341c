export { default } from "./++Drafts.svelte.ts";
export * from "./++Drafts.svelte.ts";
