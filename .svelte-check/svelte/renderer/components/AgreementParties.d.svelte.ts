export { default } from "./++AgreementParties.svelte.ts";
export * from "./++AgreementParties.svelte.ts";
