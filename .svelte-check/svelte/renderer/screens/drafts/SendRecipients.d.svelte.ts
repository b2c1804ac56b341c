export { default } from "./++SendRecipients.svelte.ts";
export * from "./++SendRecipients.svelte.ts";
