/** Part of the address of a new draft whose connection the user wants to choose. */
export const CHOOSE_PART = 'choose';
