export { default } from "./++ConfirmSigning.svelte.ts";
export * from "./++ConfirmSigning.svelte.ts";
