export { default } from "./++FilePicker.svelte.ts";
export * from "./++FilePicker.svelte.ts";
