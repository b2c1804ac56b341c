export { default } from "./++ArchivePlace.svelte.ts";
export * from "./++ArchivePlace.svelte.ts";
