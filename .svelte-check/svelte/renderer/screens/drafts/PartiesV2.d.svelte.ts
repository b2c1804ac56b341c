export { default } from "./++PartiesV2.svelte.ts";
export * from "./++PartiesV2.svelte.ts";
