import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface SettingsFromFiles {
  readonly settings: Readonly<Record<string, string>>;
  readonly problems: readonly { readonly key: string; readonly problem: string }[];
}

const NONE: SettingsFromFiles = { settings: {}, problems: [] };

/**
 * Settings in files of the folder SECRETS_DIRECTORY, named after the setting, such as a mounted Secret. A setting in
 * both places is an error, because a rotation would change only one of them.
 */
export function settingsFromFiles(
  keys: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): SettingsFromFiles {
  const folder = variables['SECRETS_DIRECTORY'];
  if (folder === undefined || folder === '') return NONE;
  if (!isFolder(folder)) {
    return { settings: {}, problems: [{ key: 'SECRETS_DIRECTORY', problem: `${folder} is not a readable folder` }] };
  }
  const settings: Record<string, string> = {};
  const problems: { key: string; problem: string }[] = [];
  for (const key of keys) {
    const content = read(join(folder, key));
    if (content === undefined) continue;
    if ((variables[key] ?? '') !== '')
      problems.push({ key, problem: 'is set in the environment and in SECRETS_DIRECTORY' });
    else if (content === null) problems.push({ key, problem: 'its file in SECRETS_DIRECTORY cannot be read' });
    else settings[key] = content;
  }
  return { settings, problems };
}

/** For commands without a configuration schema. Throws an error that names each setting with a problem. */
export function variablesWithFiles(
  keys: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const { settings, problems } = settingsFromFiles(keys, variables);
  if (problems.length > 0) throw new Error(problems.map(({ key, problem }) => `${key}: ${problem}`).join('\n'));
  return { ...variables, ...settings };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Removes the final newline that editors and `echo` add. Null if the file cannot be read. */
function read(path: string): string | null | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : null;
  }
}
