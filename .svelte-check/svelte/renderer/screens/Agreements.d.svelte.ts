export { default } from "./++Agreements.svelte.ts";
export * from "./++Agreements.svelte.ts";
