export { default } from "./++DraftList.svelte.ts";
export * from "./++DraftList.svelte.ts";
