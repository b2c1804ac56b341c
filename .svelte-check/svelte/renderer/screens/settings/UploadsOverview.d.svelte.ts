export { default } from "./++UploadsOverview.svelte.ts";
export * from "./++UploadsOverview.svelte.ts";
