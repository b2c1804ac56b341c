export { default } from "./++UnknownNotes.svelte.ts";
export * from "./++UnknownNotes.svelte.ts";
