export { default } from "./++ChoiceList.svelte.ts";
export * from "./++ChoiceList.svelte.ts";
