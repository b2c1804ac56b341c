export { default } from "./++Documents.svelte.ts";
export * from "./++Documents.svelte.ts";
