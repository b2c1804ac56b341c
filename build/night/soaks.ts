/*
 * Starts the long fault run of one computer; with the argument `office`, that of an office of three
 * computers.
 */
await import(process.argv[2] === 'office' ? './soak-office.ts' : './soak.ts');
