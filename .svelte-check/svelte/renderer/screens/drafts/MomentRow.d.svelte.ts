export { default } from "./++MomentRow.svelte.ts";
export * from "./++MomentRow.svelte.ts";
