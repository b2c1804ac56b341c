/* One desk through faults, or `office`: three of them. */
await import(process.argv[2] === 'office' ? './soak-office.ts' : './soak.ts');
