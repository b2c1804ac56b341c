export { default } from "./++SplitView.svelte.ts";
export * from "./++SplitView.svelte.ts";
