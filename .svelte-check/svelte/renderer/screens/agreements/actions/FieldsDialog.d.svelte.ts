export { default } from "./++FieldsDialog.svelte.ts";
export * from "./++FieldsDialog.svelte.ts";
