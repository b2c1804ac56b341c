export { default } from "./++ArchiveFolder.svelte.ts";
export * from "./++ArchiveFolder.svelte.ts";
