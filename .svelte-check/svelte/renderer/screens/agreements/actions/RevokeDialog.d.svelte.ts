export { default } from "./++RevokeDialog.svelte.ts";
export * from "./++RevokeDialog.svelte.ts";
