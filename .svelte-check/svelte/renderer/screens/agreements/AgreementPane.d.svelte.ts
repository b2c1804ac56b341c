export { default } from "./++AgreementPane.svelte.ts";
export * from "./++AgreementPane.svelte.ts";
