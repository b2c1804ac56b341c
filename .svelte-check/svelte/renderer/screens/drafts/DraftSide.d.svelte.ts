export { default } from "./++DraftSide.svelte.ts";
export * from "./++DraftSide.svelte.ts";
