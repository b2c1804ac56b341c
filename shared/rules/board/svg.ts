import type { BoardChart } from '../../contract/board.ts';
import { drawPlot, type DrawnBar } from './drawing.ts';

/**
 * Colours of the picture: the window's light tokens (`renderer/ui/tokens.css`), because a picture
 * is mostly used on paper.
 */
const SVG_COLOURS = {
  text: '#1c1b19',
  quiet: '#57534c',
  line: '#858076',
  bar: '#2a4bc4',
  page: '#ffffff',
};
const SVG_MARGIN = 16;
const SVG_LINE_HEIGHT = 18;
const SVG_FONT = 'font-family="system-ui, sans-serif" font-size="12"';
const MAX_NOTE_LINE_CHARACTERS = 76;

const xmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escapeXmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u0000-\u001F\uFFFE\uFFFF]/g, ' ')
    .replace(/[&<>"]/g, (sign) => xmlEntities[sign] ?? sign);

/**
 * Draws a plot as a separate SVG picture, with its title and notes. `<title>` and `<desc>` describe
 * the picture to screen readers, with the group and value of every bar.
 */
export function plotSvg(plot: BoardChart): string {
  const { title, series, notes } = plot;
  const drawn = drawPlot(plot);
  const legend = series.length > 1 ? SVG_LINE_HEIGHT : 0;
  const lines = notes.flatMap(wrapNote);
  const top = SVG_MARGIN + SVG_LINE_HEIGHT + SVG_LINE_HEIGHT / 2 + legend;
  const [width, height] = [
    drawn.width + 2 * SVG_MARGIN,
    top + drawn.height + lines.length * SVG_LINE_HEIGHT + SVG_MARGIN,
  ];
  const said = plot.groups.map(
    ({ label, values }) => `${label}: ${values.map(({ text }) => text).join(', ')}`,
  );
  const text = (x: number, y: number, what: string, more = '') =>
    `<text x="${x}" y="${y}" fill="${SVG_COLOURS.text}" ${more}>${escapeXmlText(what)}</text>`;
  const groups = drawn.groups.map(
    ({ lines: label, bars }) =>
      label
        .map((line) =>
          text(drawn.labelEnd, line.y, line.text, 'text-anchor="end" dominant-baseline="central"'),
        )
        .join('') + bars.map(barSvg).join(''),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title said" ${SVG_FONT}>`,
    `<title id="title">${escapeXmlText(title)}</title>`,
    `<desc id="said">${escapeXmlText([...said, ...notes].join('. '))}</desc>`,
    `<defs>${hatchPattern}</defs><rect width="100%" height="100%" fill="${SVG_COLOURS.page}"/>`,
    text(SVG_MARGIN, SVG_MARGIN + SVG_LINE_HEIGHT / 2, title, 'font-size="16" font-weight="600"'),
    ...(legend === 0 ? [] : [legendSvg(series)]),
    `<g transform="translate(${SVG_MARGIN} ${top})">`,
    `<line x1="${drawn.axis}" x2="${drawn.axis}" y1="0" y2="${drawn.height}" stroke="${SVG_COLOURS.line}"/>`,
    ...groups,
    '</g>',
    ...lines.map(
      (one, at) =>
        `<text x="${SVG_MARGIN}" y="${top + drawn.height + (at + 1) * SVG_LINE_HEIGHT}" fill="${SVG_COLOURS.quiet}">` +
        `${escapeXmlText(one)}</text>`,
    ),
    '</svg>\n',
  ].join('\n');
}

const hatchPattern =
  '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" ' +
  `patternTransform="rotate(45)"><rect width="6" height="6" fill="${SVG_COLOURS.page}"/>` +
  `<rect width="3" height="6" fill="${SVG_COLOURS.bar}"/></pattern>`;

const fillOf = (series: number): string => (series === 0 ? SVG_COLOURS.bar : 'url(#hatch)');

function barSvg({ x, y, width, height, series, text }: DrawnBar): string {
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fillOf(series)}" ` +
    `stroke="${SVG_COLOURS.bar}"/><text x="${x + width + 6}" y="${y + height / 2}" fill="${SVG_COLOURS.text}" ` +
    `dominant-baseline="central" font-size="11">${escapeXmlText(text)}</text>`
  );
}

function legendSvg(series: readonly string[]): string {
  return series
    .map(
      (name, at) =>
        `<rect x="${SVG_MARGIN + at * 200}" y="${SVG_MARGIN + SVG_LINE_HEIGHT}" width="12" height="12" ` +
        `fill="${fillOf(at)}" stroke="${SVG_COLOURS.bar}"/><text x="${SVG_MARGIN + at * 200 + 18}" ` +
        `y="${SVG_MARGIN + SVG_LINE_HEIGHT + 7}" fill="${SVG_COLOURS.text}" dominant-baseline="central">` +
        `${escapeXmlText(name)}</text>`,
    )
    .join('');
}

/** Breaks a note at spaces into lines of the picture's width. */
function wrapNote(note: string): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of note.split(' ')) {
    if (current !== '' && current.length + word.length >= MAX_NOTE_LINE_CHARACTERS) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}
