export { default } from "./++AgreementDocuments.svelte.ts";
export * from "./++AgreementDocuments.svelte.ts";
