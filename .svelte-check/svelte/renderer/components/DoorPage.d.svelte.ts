export { default } from "./++DoorPage.svelte.ts";
export * from "./++DoorPage.svelte.ts";
