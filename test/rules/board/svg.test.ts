import { describe, expect, it } from 'vitest';
import type { BoardChart } from '../../../shared/contract/board.ts';
import { drawPlot } from '../../../shared/rules/board/drawing.ts';
import { plotSvg } from '../../../shared/rules/board/svg.ts';

const plot: BoardChart = {
  title: 'Time to signature',
  notes: ['Left out: 3.'],
  group: 'Template',
  series: ['Median', '90 %'],
  unit: 'days',
  groups: [
    { label: 'Lease', values: [{ value: 2, text: '2 days' }, { value: 8, text: '8 days' }] },
    { label: 'A'.repeat(60), values: [{ value: 0, text: '0' }, { value: 4, text: '4 days' }] },
  ],
}; // oxfmt-ignore

describe('a chart', () => {
  it('has bars that start at 0, are in proportion to their values, and do not overlap', () => {
    const bars = drawPlot(plot).groups.flatMap((group) => group.bars);
    const [two, eight, none, four] = bars.map(({ width }) => width);
    expect([none, (eight ?? 0) / (two ?? 1), (eight ?? 0) / (four ?? 1)]).toEqual([0, 4, 2]);
    for (const [at, bar] of bars.entries()) {
      const next = bars[at + 1];
      if (next !== undefined) expect(next.y).toBeGreaterThanOrEqual(bar.y + bar.height);
    }
    expect(drawPlot({ ...plot, groups: [] }).groups).toEqual([]);
  });

  it('shortens a label that would overlap the bars, and keeps its full text', () => {
    const [, long] = drawPlot(plot).groups;
    expect([long?.lines[0]?.text.length, long?.whole.length]).toEqual([23, 60]);
  });

  it('breaks a long label into lines, which overlap neither each other nor the next label', () => {
    const label = 'Im letzten Lauf nicht archivierte Vereinbarungen';
    const values = [{ value: 1, text: '1' }];
    const { groups } = drawPlot({ ...plot, groups: [label, label].map((one) => ({ label: one, values })) }); // oxfmt-ignore
    const lines = groups.flatMap((group) => group.lines);
    const texts = ['Im letzten Lauf nicht', 'archivierte', 'Vereinbarungen'];
    expect(lines.map(({ text }) => text)).toEqual([...texts, ...texts]);
    for (const [at, { y }] of lines.entries()) expect((lines[at + 1]?.y ?? Infinity) - y).toBeGreaterThanOrEqual(14); // oxfmt-ignore
  });

  it('distinguishes its series by pattern, not only by colour', () => {
    const svg = plotSvg(plot);
    expect(svg).toContain('fill="url(#hatch)"');
    expect(svg).toContain('<pattern id="hatch"');
  });

  it('gives screen readers each group with its values, and the number of excluded values', () => {
    const [, said = ''] = /<desc id="said">([^<]*)</.exec(plotSvg(plot)) ?? [];
    expect(said).toContain('Lease: 2 days, 8 days');
    expect(said).toContain('Left out: 3.');
    expect(plotSvg(plot)).toContain('<title id="title">Time to signature</title>');
  });

  it('is valid XML for any template name, and never contains a script', () => {
    const label = '<script>alert(1)</script> & "x" \u0000';
    const svg = plotSvg({ ...plot, title: label, notes: [label], groups: [{ label, values: [{ value: 1, text: label }] }] }); // oxfmt-ignore
    expect(svg).not.toContain('<script');
    expect(svg).not.toMatch(/&(?!(?:amp|lt|gt|quot);)/);
    expect(svg).not.toContain('\u0000');
  });
});
