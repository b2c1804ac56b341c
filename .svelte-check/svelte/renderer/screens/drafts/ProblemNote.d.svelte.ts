export { default } from "./++ProblemNote.svelte.ts";
export * from "./++ProblemNote.svelte.ts";
