export { default } from "./++FieldDialog.svelte.ts";
export * from "./++FieldDialog.svelte.ts";
