import { VaultState } from '../../../shared/contract/access.ts';
import type { DoctorCheck } from '../../../shared/contract/host.ts';
import { m } from '../../ui/language.svelte.ts';

const credentialStoreNames = {
  ready: m.settings_doctor_ready,
  locked: m.reason_vault_locked,
  dismissed: m.reason_vault_dismissed,
  denied: m.reason_vault_denied,
  'no-session': m.reason_vault_no_session,
  'entry-missing': m.reason_vault_entry_missing,
  'wrong-key': m.reason_vault_wrong_key,
  changed: m.reason_vault_changed,
} as const satisfies Record<VaultState, () => string>;

export function findingText({ finding, value }: Pick<DoctorCheck, 'finding' | 'value'>): string {
  switch (finding) {
    case 'stated':
      return value;
    case 'folder-tightened':
      return m.settings_doctor_tightened({ folder: value });
    case 'folder-shared':
      return m.settings_doctor_shared({ folder: value });
    case 'folder-unusable':
      return m.settings_doctor_unusable({ folder: value });
    case 'store':
      return credentialStoreNames[VaultState.parse(value)]();
    case 'database-intact':
      return m.settings_doctor_intact();
    case 'database-damaged':
      return m.settings_doctor_damaged({ what: value });
    case 'database-closed':
      return m.settings_doctor_closed();
    case 'no-copies':
      return m.settings_doctor_no_copies();
    case 'no-sandbox':
      return m.settings_doctor_no_sandbox();
    case 'no-namespaces':
      return m.settings_doctor_no_namespaces();
    case 'no-browser':
      return m.settings_doctor_no_browser();
    case 'browser-snap':
      return m.settings_doctor_snap({ file: value });
    case 'no-screen':
      return m.settings_doctor_no_screen();
    case 'no-scheduler':
      return m.settings_doctor_no_scheduler();
    case 'no-office':
      return m.reason_office_missing();
    case 'office-apart':
      return m.settings_doctor_office_apart({ what: value });
    case 'office-offline':
      return m.settings_doctor_office_offline({ what: value });
    case 'direct':
      return m.network_doctor_direct();
    case 'no-way':
      return m.network_doctor_no_way();
    case 'authorities':
      return m.network_doctor_authorities({ list: value });
    case 'clock-near':
      return m.test_note_clock_ok({ value });
    case 'clock-far':
      return m.test_note_clock_differs({ value });
    case 'clock-unheard':
      return m.test_note_clock_untold();
    case 'office-settings':
      return m.settings_doctor_office_settings({ what: value });
  }
}
