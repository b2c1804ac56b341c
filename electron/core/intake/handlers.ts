import { IntakeRuleId, type IntakeTerms } from '../../../shared/contract/intake.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Chance, Files, Stores } from '../ports.ts';
import { RuleBook } from '../rules/rule-book.ts';
import { type IntakeWork, isIntakePaused, type WorkPorts } from './work.ts';

type Ports = WorkPorts & {
  readonly stores: Pick<Stores, 'transaction'>;
  readonly intakeWork: IntakeWork;
  readonly jobs: JobQueue;
  readonly chance: Chance;
  readonly files: Pick<Files, 'resolveLocal'>;
};

export function createIntakeHandlers(ports: Ports): HandlersOf<'intake'> {
  const { stores, emit, jobs, intakeWork } = ports;
  const { rules } = stores.intake;
  const book = new RuleBook({
    ...ports,
    rules,
    transaction: stores.transaction,
    parseId: (id) => IntakeRuleId.parse(id),
    announce: () => emit('intake.changed', {}),
    forgive({ rule, last }) {
      if (last !== null) rules.noteRun(rule.id, { ...last, failure: null, inRow: 0 });
    },
  });
  return {
    'intake.rules': async () =>
      rules.list().map((stored) => ({
        ...stored,
        failures: intakeWork
          .refusalsOf(stored.rule.id)
          .map(({ file, failure }) => ({ name: file, failure })),
        isPaused: isIntakePaused(stored),
      })),
    'intake.saveRule': async ({ id, ...said }) => {
      const terms = requireValidTerms(ports, { ...said, folder: wholePath(ports, said.folder) });
      return book.save({ ...said, ...terms, ...book.originOf(id) });
    },
    'intake.switchRule': async ({ id, isOn }) => book.switch(id, isOn),
    'intake.removeRule': async ({ id }) => book.remove(id),
    'intake.preview': async (asked) => {
      if ('id' in asked) return intakeWork.preview(rules.get(asked.id).rule);
      const folder = wholePath(ports, asked.folder);
      return intakeWork.preview(requireValidTerms(ports, { ...asked, folder }));
    },
    'intake.runRule': async ({ id }) => {
      rules.get(id);
      return {
        jobId: jobs.start('take-in-files', (signal, report) =>
          intakeWork.runRule(id, signal, report),
        ),
      };
    },
    'intake.watch': async ({ stays, ...asked }) => {
      const folder = wholePath(ports, asked.folder);
      const own = rules.list().find(({ rule }) => rule.folder === folder)?.rule;
      const terms = own ?? requireValidTerms(ports, { ...asked, folder });
      return {
        jobId: jobs.start('take-in-files', (signal, report) => {
          if (stays) return intakeWork.watch(terms, signal, report);
          return own === undefined
            ? intakeWork.run(terms, signal, report)
            : intakeWork.runRule(own.id, signal, report);
        }),
      };
    },
  };
}

/**
 * Returns the absolute path, so that a folder has one name. A network share (`\\server`) is
 * unchanged.
 */
const wholePath = ({ files }: Ports, folder: string): string =>
  files.resolveLocal(folder) ?? folder;

/**
 * Returns the terms. Throws 'not-found' if a connection or template in them no longer exists, and
 * 'invalid' if it belongs to the other API.
 */
function requireValidTerms({ stores }: Ports, terms: IntakeTerms): IntakeTerms {
  const { api, connectionId, templateId } = terms;
  const fields: Record<string, string> = {};
  if (connectionId !== null && stores.connections.get(connectionId).api !== api) {
    fields['connectionId'] = 'The connection uses the other API';
  }
  const template = templateId === null ? null : stores.templates.get(templateId);
  if (template !== null && template.content.body.api !== api) {
    fields['templateId'] = 'The template was made for the other API';
  }
  if (template !== null && template.source.kind !== 'pdf') {
    fields['templateId'] =
      'The PDF of this template is on the service. The template cannot use a PDF from a folder';
  }
  const problems = Object.values(fields);
  if (problems.length > 0) throw new AppError('invalid', problems.join('. '), { fields });
  return terms;
}
