/**
 * Returns a JSON value as a simple XML document: one element per key, and one per item of an array.
 */
export function toXml(root: string, value: unknown): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${toXmlElement(root, value)}\n`;
}

function toXmlElement(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item: unknown) => toXmlElement(name, item)).join('');
  if (typeof value !== 'object' || value === null) {
    return `<${name}>${escapeXmlValue(String(value ?? ''))}</${name}>`;
  }
  const inner = Object.entries(value).map(([key, item]) => toXmlElement(key, item));
  return `<${name}>${inner.join('')}</${name}>`;
}

function escapeXmlValue(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
