// Parsers of scheduler recipes: each returns the words of one command.

/**
 * Parses a line of crontab(5): five fields, then a line for the shell, in which `\%` is a percent
 * sign.
 */
export function cron(text: string): string[] {
  const line = text
    .split(' ')
    .slice(5)
    .join(' ')
    .replaceAll(String.raw`\%`, '%');
  return ['/bin/sh', '-c', line];
}

/** Parses a command of systemd.service(5), "Command lines". */
export function systemd(text: string): string[] {
  const line = text.split('\n').find((one) => one.startsWith('ExecStart=')) ?? '';
  return [...line.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([word]) =>
    word
      .slice(1, -1)
      .replaceAll(/\\(["\\])/g, '$1')
      // A single `%` starts a specifier that systemd replaces.
      .replaceAll(/%(.)/gs, (_, sign: string) => (sign === '%' ? '%' : 'specifier'))
      .replaceAll(/\$(\$|\w+)/g, (_, name: string) => (name === '$' ? '$' : 'variable')),
  );
}

/** Parses the arguments of launchd.plist(5). */
export function launchd(text: string): string[] {
  const [, list = ''] = /<array>(.*)<\/array>/s.exec(text) ?? [];
  return [...list.matchAll(/<string>([^<]*)</g)].map(([, inner = '']) => unescaped(inner));
}

/** Parses the program and command line of a task, which Windows passes unchanged. */
export function taskScheduler(text: string): string[] {
  const inner = (name: string): string =>
    unescaped(new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? '');
  return [inner('Command'), ...splitAsWindows(inner('Arguments'))];
}

/**
 * Splits a command line as CommandLineToArgvW does. Words are split at spaces outside quotes.
 * Before a quote, two backslashes are one, and an odd backslash makes the quote an ordinary
 * character.
 */
function splitAsWindows(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let slashes = 0;
  let isQuoted = false;
  for (const sign of `${line} `) {
    if (sign === '\\') {
      slashes += 1;
      continue;
    }
    const isSign = sign === '"' && slashes % 2 === 1;
    const kept = '\\'.repeat(sign === '"' ? Math.floor(slashes / 2) : slashes);
    slashes = 0;
    if (kept !== '') word = (word ?? '') + kept;
    if (sign === '"' && !isSign) {
      isQuoted = !isQuoted;
      word ??= '';
    } else if (sign !== ' ' || isQuoted) word = (word ?? '') + sign;
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  return words;
}

const unescaped = (xml: string): string =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
