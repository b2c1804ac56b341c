export { default } from "./++PassphraseForm.svelte.ts";
export * from "./++PassphraseForm.svelte.ts";
