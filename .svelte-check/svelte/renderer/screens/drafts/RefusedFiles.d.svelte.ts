export { default } from "./++RefusedFiles.svelte.ts";
export * from "./++RefusedFiles.svelte.ts";
