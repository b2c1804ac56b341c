export { default } from "./++UploadDialog.svelte.ts";
export * from "./++UploadDialog.svelte.ts";
