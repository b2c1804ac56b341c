/** What a scheduler runs, as it reads a recipe. */
interface Call {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** crontab(5): five fields, then a line for the shell, in which `\%` is a percent sign. */
export function cron(text: string): Call {
  const line = text
    .split(' ')
    .slice(5)
    .join(' ')
    .replaceAll(String.raw`\%`, '%');
  return { words: ['/bin/sh', '-c', line], env: {} };
}

/** systemd.service(5), "Command lines", and systemd.exec(5), "Environment". */
export function systemd(text: string): Call {
  const plain = (word: string): string =>
    word
      .slice(1, -1)
      .replaceAll(/\\(["\\])/g, '$1')
      .replaceAll('%%', '%')
      .replaceAll('$$', '$');
  const wordsOf = (line: string): string[] =>
    [...line.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([word]) => plain(word));
  const lines = text.split('\n');
  const settings = lines.filter((line) => line.startsWith('Environment=')).flatMap(wordsOf);
  return {
    words: wordsOf(lines.find((line) => line.startsWith('ExecStart=')) ?? ''),
    env: envOf(settings),
  };
}

/** launchd.plist(5). */
export function launchd(text: string): Call {
  const strings = (part: string): string[] =>
    [...part.matchAll(/<(?:string|key)>([^<]*)</g)].map(([, inner = '']) => unescaped(inner));
  const [, list = '', dict = ''] = /<array>(.*)<\/array>.*<dict>(.*?)<\/dict>/s.exec(text) ?? [];
  const pairs = strings(dict);
  const settings = pairs.flatMap((name, at) => (at % 2 ? [] : [`${name}=${pairs[at + 1] ?? ''}`]));
  return { words: strings(list), env: envOf(settings) };
}

const unescaped = (xml: string): string =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

function envOf(settings: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=');
      return [setting.slice(0, at), setting.slice(at + 1)];
    }),
  );
}
