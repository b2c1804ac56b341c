/*
 * Settings of a profile that is used for one conversion. Other settings keep LibreOffice's
 * defaults.
 */

const SETTINGS: readonly (readonly [node: string, name: string, value: string])[] = [
  // No macro runs, even if it is signed, and no linked macro.
  ['Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  // Disables objects of other programs, and scripts in event listeners.
  ['Office.Common/Security/Scripting', 'DisableActiveContent', 'true'],
  ['Office.Common/Security/Scripting', 'DisableOLEAutomation', 'true'],
  ['Office.Common/Security/Scripting', 'DisablePythonRuntime', 'true'],
  // A document cannot load other files or addresses.
  ['Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['Office.Writer/Content/Update', 'Link', '2'],
  ['Office.Writer/Content/Update', 'Field', 'false'],
  // Any remaining network request goes to a port where nothing listens.
  ['Inet/Settings', 'ooInetProxyType', '1'],
  ['Inet/Settings', 'ooInetHTTPProxyName', '127.0.0.1'],
  ['Inet/Settings', 'ooInetHTTPProxyPort', '9'],
  ['Inet/Settings', 'ooInetHTTPSProxyName', '127.0.0.1'],
  ['Inet/Settings', 'ooInetHTTPSProxyPort', '9'],
  ['Inet/Settings', 'ooInetNoProxy', ''],
  ['Office.Common/Misc', 'CrashReport', 'false'],
  ['Office.Common/Misc', 'CollectUsageInformation', 'false'],
  ['Office.Common/Java', 'Enable', 'false'],
  // The PDF shows the document as printed: without deleted text, notes and hints.
  ['Office.Common/Filter/PDF/Export', 'ExportNotes', 'false'],
  ['Office.Common/Filter/PDF/Export', 'ExportBookmarks', 'false'],
  ['Office.Common/Filter/PDF/Export', 'UseTaggedPDF', 'true'],
];

/** Returns the content of `registrymodifications.xcu`. */
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
