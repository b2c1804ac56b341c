export { default } from "./++ChoiceRow.svelte.ts";
export * from "./++ChoiceRow.svelte.ts";
