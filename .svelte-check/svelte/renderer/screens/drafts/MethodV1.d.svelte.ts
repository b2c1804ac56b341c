export { default } from "./++MethodV1.svelte.ts";
export * from "./++MethodV1.svelte.ts";
