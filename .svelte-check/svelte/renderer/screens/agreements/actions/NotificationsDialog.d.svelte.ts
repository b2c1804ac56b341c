export { default } from "./++NotificationsDialog.svelte.ts";
export * from "./++NotificationsDialog.svelte.ts";
