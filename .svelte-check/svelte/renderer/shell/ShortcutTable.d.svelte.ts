export { default } from "./++ShortcutTable.svelte.ts";
export * from "./++ShortcutTable.svelte.ts";
