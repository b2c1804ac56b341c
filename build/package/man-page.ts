import type { Command, Help } from 'commander';

interface About {
  readonly name: string;
  readonly version: string;
  readonly description: string;
}

/**
 * Returns the manual page of the command line in man(7) format, generated from the commands.
 * @param afterword Text of `--help` below the commands: paragraphs, some with a title and a colon.
 */
export function manPage(program: Command, afterword: string, about: About): string {
  const help = program.createHelp();
  const paragraphs = afterword.trim().split('\n\n');
  const sections = paragraphs.filter((text) => SECTION.test(text));
  const prose = paragraphs.filter((text) => !SECTION.test(text));
  return [
    `.TH ${about.name.toUpperCase()} 1 "" "Signing Desk ${about.version}"`,
    '.SH NAME',
    `${escaped(about.name)} \\- ${escaped(about.description)}`,
    '.SH SYNOPSIS',
    `.B ${escaped(about.name)}`,
    '[\\fB\\-\\-data\\fR \\fIfolder\\fR] [\\fB\\-\\-lang\\fR \\fIlanguage\\fR]',
    '.br',
    `.B ${escaped(about.name)}`,
    '\\fIcommand\\fR [\\fIarguments\\fR]',
    '.SH DESCRIPTION',
    'Without a command the window opens. With one it does that work and ends.',
    ...prose.map((text) => `.PP\n${escaped(text)}`),
    '.SH OPTIONS',
    ...optionsOf(help, program),
    '.SH COMMANDS',
    ...commandsBelow(help, program, about.name),
    ...sections.map(sectionOf),
    '',
  ].join('\n');
}

const SECTION = /^(Variables|Exit codes|Example):\s*/;
const TITLES: Readonly<Record<string, string>> = {
  Variables: 'ENVIRONMENT',
  'Exit codes': 'EXIT STATUS',
  Example: 'EXAMPLES',
};

function sectionOf(text: string): string {
  const title = SECTION.exec(text)?.[1] ?? '';
  const lines = text.replace(SECTION, '').split('\n');
  const body = lines.map((line) => escaped(line.trim())).join('\n.br\n');
  return `.SH "${TITLES[title] ?? title}"\n${body}`;
}

/**
 * Returns a section for each command that is not a group, with the words of the command and its
 * options.
 */
function commandsBelow(help: Help, command: Command, words: string): string[] {
  return help
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help')
    .flatMap((one) => {
      const called = `${words} ${one.name()}`;
      if (one.commands.length > 0) return commandsBelow(help, one, called);
      const takes = one.registeredArguments.map((argument) =>
        bracketed(`${argument.name()}${argument.variadic ? '...' : ''}`, argument.required),
      );
      return [
        `.SS "${escaped([called, ...takes].join(' '))}"`,
        escaped(help.subcommandDescription(one)),
        ...optionsOf(help, one),
      ];
    });
}

function bracketed(name: string, isRequired: boolean): string {
  return isRequired ? `<${name}>` : `[${name}]`;
}

function optionsOf(help: Help, command: Command): string[] {
  return help
    .visibleOptions(command)
    .filter((option) => option.long !== '--help')
    .map(
      (option) =>
        `.TP\n\\fB${escaped(help.optionTerm(option))}\\fR\n${escaped(help.optionDescription(option))}`,
    );
}

/**
 * Escapes a text for man(7). Without this, a hyphen would be drawn as a dash, and a line that
 * begins with a dot would be an instruction.
 */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll(/^([.'])/gm, '\\&$1');
}
