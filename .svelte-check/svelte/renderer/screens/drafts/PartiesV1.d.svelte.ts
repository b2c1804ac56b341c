export { default } from "./++PartiesV1.svelte.ts";
export * from "./++PartiesV1.svelte.ts";
