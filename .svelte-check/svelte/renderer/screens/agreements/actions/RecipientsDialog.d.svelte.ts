export { default } from "./++RecipientsDialog.svelte.ts";
export * from "./++RecipientsDialog.svelte.ts";
