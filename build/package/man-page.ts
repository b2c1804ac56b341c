import type { Command, Help } from 'commander';

interface ManualDetails {
  readonly name: string;
  readonly version: string;
  readonly description: string;
}

/**
 * Returns the manual page of the command line in man(7) format, generated from the commands.
 * @param afterword Text of `--help` below the commands: paragraphs, some with a title and a colon.
 */
export function createManPage(program: Command, afterword: string, about: ManualDetails): string {
  const help = program.createHelp();
  const paragraphs = afterword.trim().split('\n\n');
  const sections = paragraphs.filter((text) => SECTION_PATTERN.test(text));
  const prose = paragraphs.filter((text) => !SECTION_PATTERN.test(text));
  return [
    `.TH ${about.name.toUpperCase()} 1 "" "Signing Desk ${about.version}"`,
    '.SH NAME',
    `${escapeForMan(about.name)} \\- ${escapeForMan(about.description)}`,
    '.SH SYNOPSIS',
    `.B ${escapeForMan(about.name)}`,
    '[\\fB\\-\\-data\\fR \\fIfolder\\fR] [\\fB\\-\\-lang\\fR \\fIlanguage\\fR]',
    '.br',
    `.B ${escapeForMan(about.name)}`,
    '\\fIcommand\\fR [\\fIarguments\\fR]',
    '.SH DESCRIPTION',
    'Without a command the window opens. With one it does that work and ends.',
    ...prose.map((text) => `.PP\n${escapeForMan(text)}`),
    '.SH OPTIONS',
    ...optionsOf(help, program),
    '.SH COMMANDS',
    ...commandsBelow(help, program, about.name),
    ...sections.map(sectionOf),
    '',
  ].join('\n');
}

const SECTION_PATTERN = /^(Variables|Exit codes|Example):\s*/;
const SECTION_TITLES: Readonly<Record<string, string>> = {
  Variables: 'ENVIRONMENT',
  'Exit codes': 'EXIT STATUS',
  Example: 'EXAMPLES',
};

function sectionOf(text: string): string {
  const title = SECTION_PATTERN.exec(text)?.[1] ?? '';
  const lines = text.replace(SECTION_PATTERN, '').split('\n');
  const body = lines.map((line) => escapeForMan(line.trim())).join('\n.br\n');
  return `.SH "${SECTION_TITLES[title] ?? title}"\n${body}`;
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
        `.SS "${escapeForMan([called, ...takes].join(' '))}"`,
        escapeForMan(help.subcommandDescription(one)),
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
        `.TP\n\\fB${escapeForMan(help.optionTerm(option))}\\fR\n${escapeForMan(help.optionDescription(option))}`,
    );
}

/**
 * Escapes a text for man(7). Without this, a hyphen would be drawn as a dash, and a line that
 * begins with a dot would be an instruction.
 */
function escapeForMan(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll(/^([.'])/gm, '\\&$1');
}
