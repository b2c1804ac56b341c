/* The fault run of one computer, or of an office of three with `office`. */
await import(process.argv[2] === 'office' ? './soak-office.ts' : './soak.ts');
