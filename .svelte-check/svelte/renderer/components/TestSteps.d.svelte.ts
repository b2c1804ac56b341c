export { default } from "./++TestSteps.svelte.ts";
export * from "./++TestSteps.svelte.ts";
