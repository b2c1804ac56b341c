import { AppError } from '../../../shared/errors.ts';

/** A file that makes the system run the work, or a line to add to one. */
export interface SchedulerRecipe {
  readonly name: string;
  readonly text: string;
}

export const SCHEDULERS = ['cron', 'systemd', 'launchd', 'task-scheduler'] as const;
export type Scheduler = (typeof SCHEDULERS)[number];

/** Interval of runs, close enough to the chosen time; a run that finds no due work costs little. */
const RUN_INTERVAL_MINUTES = 15;
/** Name of the task, and of its files without their extensions. */
export const SCHEDULE_LABEL = 'signing-desk-archive';
/** Name of the task in the Task Scheduler of Windows. */
export const WINDOWS_TASK_NAME = 'Signing Desk archive';

/**
 * Returns the recipe for a scheduler, and the user's steps to install it. Cron mails the output to
 * the user. The other schedulers store the output in a log that users do not look at, so their
 * recipes leave the daily summary to the window. Throws 'invalid' for a word with a line break or
 * another control character: the rest of the word would be a separate line, which the scheduler
 * runs.
 * @param words The program and its arguments, absolute: schedulers have no search path, and hardly
 * any variables.
 */
export function recipeFor(
  scheduler: Scheduler,
  words: readonly string[],
): { readonly files: readonly SchedulerRecipe[]; readonly next: readonly string[] } {
  const broken = words.find((word) => /\p{Cc}/u.test(word));
  if (broken !== undefined) {
    throw new AppError(
      'invalid',
      `Nothing was written: schedulers accept no path with a line break or another control character: ${JSON.stringify(broken)}`,
    );
  }
  const unread = [...words, '--skip-summary'];
  switch (scheduler) {
    case 'cron':
      return {
        files: [{ name: `${SCHEDULE_LABEL}.cron`, text: cronLine([...words, '--only-news']) }],
        next: [`(crontab -l; cat ${SCHEDULE_LABEL}.cron) | crontab -`],
      };
    case 'systemd':
      return {
        files: [
          { name: `${SCHEDULE_LABEL}.service`, text: systemdService(unread) },
          { name: `${SCHEDULE_LABEL}.timer`, text: SYSTEMD_TIMER },
        ],
        next: [
          `cp ${SCHEDULE_LABEL}.service ${SCHEDULE_LABEL}.timer ~/.config/systemd/user/`,
          `systemctl --user enable --now ${SCHEDULE_LABEL}.timer`,
          'loginctl enable-linger',
        ],
      };
    case 'launchd':
      return {
        files: [{ name: `${SCHEDULE_LABEL}.plist`, text: launchdPropertyList(unread) }],
        next: [
          `cp ${SCHEDULE_LABEL}.plist ~/Library/LaunchAgents/`,
          `launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/${SCHEDULE_LABEL}.plist`,
        ],
      };
    case 'task-scheduler':
      return {
        files: [{ name: `${SCHEDULE_LABEL}.xml`, text: windowsTask(unread) }],
        next: [`schtasks /Create /TN "${WINDOWS_TASK_NAME}" /XML ${SCHEDULE_LABEL}.xml`],
      };
  }
}

/**
 * Returns a line of a crontab. A percent sign would end the line (crontab(5)). Cron mails the
 * output to the user: the daily summary and, if a run fails, its notes.
 */
function cronLine(words: readonly string[]): string {
  const line = words.map(quoteShellWord).join(' ').replaceAll('%', '\\%');
  const noted = `{ notes=$(${line} 2>&1 >&3) || echo "$notes"; } 3>&1`;
  return `*/${RUN_INTERVAL_MINUTES} * * * * ${noted}\n`;
}

/**
 * Returns the part of a recipe by which the task of a data folder is recognised. The words of the
 * recipe must contain `--data` and the folder, and another word after them.
 */
export function dataFolderMark(scheduler: Scheduler, folder: string): string {
  switch (scheduler) {
    case 'cron':
      return ` --data ${quoteShellWord(folder).replaceAll('%', '\\%')} `;
    case 'systemd':
      return ` "--data" ${quoteSystemdWord(folder)} `;
    case 'launchd':
      return `<string>--data</string>\n    <string>${escapePlistText(folder)}</string>`;
    case 'task-scheduler':
      return escapePlistText(` --data ${quoteWindowsWord(folder)} `);
  }
}

export function quoteShellWord(text: string): string {
  return /^[\w./:=@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const SYSTEMD_TIMER = `[Unit]
Description=Signing Desk: archives that are due

[Timer]
OnCalendar=*:0/${RUN_INTERVAL_MINUTES}
Persistent=true

[Install]
WantedBy=timers.target
`;

function systemdService(words: readonly string[]): string {
  return `[Unit]
Description=Signing Desk: archives that are due
After=network-online.target

[Service]
Type=oneshot
ExecStart=${words.map(quoteSystemdWord).join(' ')}
`;
}

/** Quotes a word for systemd.service(5), "Command lines"; `%` and `$` are doubled. */
function quoteSystemdWord(text: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `"${safe.replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}

function launchdPropertyList(words: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${SCHEDULE_LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${escapePlistText(word)}</string>\n`).join('')}  </array>
  <key>StartInterval</key><integer>${RUN_INTERVAL_MINUTES * 60}</integer>
  <key>RunAtLoad</key><true/>
</dict>
</plist>
`;
}

/**
 * Returns a task of Windows. After missed times it runs once. The task's last result shows how a
 * run ended.
 */
function windowsTask([program = '', ...args]: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers>
    <CalendarTrigger>
      <StartBoundary>2026-01-01T00:00:00</StartBoundary>
      <Repetition><Interval>PT${RUN_INTERVAL_MINUTES}M</Interval></Repetition>
      <ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>
    </CalendarTrigger>
  </Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <StartWhenAvailable>true</StartWhenAvailable>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
  </Settings>
  <Actions>
    <Exec>
      <Command>${escapePlistText(program)}</Command>
      <Arguments>${escapePlistText(args.map(quoteWindowsWord).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/**
 * Quotes a word in the form in which programs split their command line (CommandLineToArgvW): a
 * backslash has a special meaning only before a quote.
 */
export function quoteWindowsWord(text: string): string {
  if (/^[\w.:\\/=+-]+$/.test(text)) return text;
  let quoted = '';
  let slashes = 0;
  for (const sign of text) {
    if (sign === '"') quoted += '\\'.repeat(slashes + 1);
    slashes = sign === '\\' ? slashes + 1 : 0;
    quoted += sign;
  }
  return `"${quoted}${'\\'.repeat(slashes)}"`;
}

function escapePlistText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
