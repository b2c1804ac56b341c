import type { Command } from 'commander';
import { answer } from '../output/answer.ts';
import { type AddCommands, example } from '../session/group.ts';

/** Possible next words after the typed words: commands of a group, or options of a command. */
interface CompletionLevel {
  readonly words: string;
  readonly next: readonly string[];
}

const scriptWriterByShell = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
const shellNames = ['bash', 'zsh', 'fish'] as const;

/** `completion`: prints a script for the shell, generated from the commands. */
export const completionCommands: AddCommands = (group, run) => {
  for (const shell of shellNames) {
    const command = group
      .command(shell)
      .description(`print the script for ${shell}`)
      .action(() =>
        run.alone(() => {
          const program = group.parent ?? group;
          const script = scriptWriterByShell[shell](completionLevels(program, program, ''));
          return Promise.resolve(answer({ script }, script.trimEnd()));
        }),
      );
    example(command, `completion ${shell}`);
  }
};

function completionLevels(program: Command, command: Command, words: string): CompletionLevel[] {
  // Options of the whole program are offered after every command.
  const options = [...command.options, ...(words === '' ? [] : program.options)];
  const next = [
    ...command.commands.map((one) => one.name()),
    ...options.filter((one) => !one.hidden).flatMap((one) => one.long ?? []),
  ];
  const below = command.commands.flatMap((one) =>
    completionLevels(program, one, `${words} ${one.name()}`.trim()),
  );
  return [{ words, next }, ...below];
}

function bashScript(all: readonly CompletionLevel[]): string {
  // `case` takes the first pattern that matches, so the longest patterns come first.
  const cases = all.toReversed().map(({ words, next }) => {
    const typed = '"${COMP_WORDS[COMP_CWORD]}"';
    return `    ${commandPattern(words)}) COMPREPLY=($(compgen -W "${next.join(' ')}" -- ${typed})) ;;`;
  });
  return `_signing_desk() {
  local words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in -*) ;; *) words="$words \${COMP_WORDS[at]}" ;; esac
  done
  case "\${words# }" in
${cases.join('\n')}
  esac
}
complete -o default -F _signing_desk signing-desk
`;
}

function zshScript(all: readonly CompletionLevel[]): string {
  return `#compdef signing-desk
autoload -U +X bashcompinit && bashcompinit
${bashScript(all)}`;
}

function fishScript(all: readonly CompletionLevel[]): string {
  const lines = all.flatMap(({ words, next }) => {
    const names = words === '' ? [] : words.split(' ');
    const after = names.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
    const when = after === '' ? '__fish_use_subcommand' : after;
    return next.map((word) =>
      word.startsWith('--')
        ? `complete -c signing-desk -n '${when}' -l ${word.slice(2)}`
        : `complete -c signing-desk -n '${when}' -a ${word}`,
    );
  });
  return `${lines.join('\n')}\n`;
}

/** Returns the pattern of a command with arguments: its options may follow any arguments. */
function commandPattern(words: string): string {
  return words === '' ? '""' : `"${words}"*`;
}
