export const NOW = Date.UTC(2026, 10, 22, 12);

/** What the name of an archived file is made of. */
export const tokens = (text: string) => ({
  id: text,
  title: text,
  parties: [text, text],
  connection: text,
  closedAt: NOW,
  tags: { key: text },
});
export const named = '{title} {party} {parties} {tag:key} {connection} {id}';
export const plotOf = (text: string) => ({
  title: text,
  notes: [text],
  group: text,
  series: [text, text],
  unit: text,
  groups: [{ label: text, values: [{ value: 1, text }] }],
});
