export { default } from "./++FailureBar.svelte.ts";
export * from "./++FailureBar.svelte.ts";
