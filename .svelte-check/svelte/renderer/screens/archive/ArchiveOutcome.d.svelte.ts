export { default } from "./++ArchiveOutcome.svelte.ts";
export * from "./++ArchiveOutcome.svelte.ts";
