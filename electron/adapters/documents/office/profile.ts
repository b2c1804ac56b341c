/*
 * The settings of a profile that lives for one conversion. What is not named here is as LibreOffice
 * has it when it is new.
 */

const SETTINGS: readonly (readonly [node: string, name: string, value: string])[] = [
  // No macro runs, whoever signed it, and no link to one.
  ['Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  // Objects of other programs, and scripts in event listeners.
  ['Office.Common/Security/Scripting', 'DisableActiveContent', 'true'],
  ['Office.Common/Security/Scripting', 'DisableOLEAutomation', 'true'],
  ['Office.Common/Security/Scripting', 'DisablePythonRuntime', 'true'],
  // A document names no file and no address to be read into it.
  ['Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['Office.Writer/Content/Update', 'Link', '2'],
  ['Office.Writer/Content/Update', 'Field', 'false'],
  // Whatever asks for the network all the same is sent to a port where nobody is.
  ['Inet/Settings', 'ooInetProxyType', '1'],
  ['Inet/Settings', 'ooInetHTTPProxyName', '127.0.0.1'],
  ['Inet/Settings', 'ooInetHTTPProxyPort', '9'],
  ['Inet/Settings', 'ooInetHTTPSProxyName', '127.0.0.1'],
  ['Inet/Settings', 'ooInetHTTPSProxyPort', '9'],
  ['Inet/Settings', 'ooInetNoProxy', ''],
  ['Office.Common/Misc', 'CrashReport', 'false'],
  ['Office.Common/Misc', 'CollectUsageInformation', 'false'],
  ['Office.Common/Java', 'Enable', 'false'],
  // As they are on paper: without what was struck out, notes and hints.
  ['Office.Common/Filter/PDF/Export', 'ExportNotes', 'false'],
  ['Office.Common/Filter/PDF/Export', 'ExportBookmarks', 'false'],
  ['Office.Common/Filter/PDF/Export', 'UseTaggedPDF', 'true'],
];

/** `registrymodifications.xcu`. */
export function profileSettings(): string {
  const items = SETTINGS.map(
    ([node, name, value]) =>
      `<item oor:path="/org.openoffice.${node}"><prop oor:name="${name}" oor:op="fuse">` +
      `<value>${value}</value></prop></item>`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry" ' +
    'xmlns:xs="http://www.w3.org/2001/XMLSchema" ' +
    `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${items.join('')}</oor:items>\n`
  );
}
