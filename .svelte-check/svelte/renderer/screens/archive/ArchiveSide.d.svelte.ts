export { default } from "./++ArchiveSide.svelte.ts";
export * from "./++ArchiveSide.svelte.ts";
