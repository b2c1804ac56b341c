export { default } from "./++EnvironmentStrip.svelte.ts";
export * from "./++EnvironmentStrip.svelte.ts";
