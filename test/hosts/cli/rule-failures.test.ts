import { expect, it } from 'vitest';
import { textWithFailures } from '../../../electron/hosts/cli/commands/rules.ts';

const shown = (failures: number) => ({
  rule: { id: 'rule', name: 'Nightly', isOn: true },
  failures: Array.from({ length: failures }, (_, at) => ({
    name: `Lease ${at + 1}`,
    failure: { code: 'service', message: 'The service is busy' } as const,
  })),
});

it('a list of rules names the first twenty failures of a last run, and counts the others', () => {
  const lines = textWithFailures('NAME', [shown(82)], () => 82).split('\n');
  expect(lines[0]).toBe('NAME');
  expect(lines[2]).toBe('Failed in the last run of "Nightly":');
  expect(lines[3]).toContain('  Lease 1: The service is busy');
  expect(lines).toHaveLength(3 + 20 + 1);
  expect(lines.at(-1)).toBe('  and 62 more (--json lists them)');
});

it('a list of rules is unchanged if the last runs had no failures', () => {
  expect(textWithFailures('NAME', [shown(0)], () => 0)).toBe('NAME');
});
