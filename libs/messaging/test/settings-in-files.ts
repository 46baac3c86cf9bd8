import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs work with the environment of a container, whose settings are files of a mounted Secret. */
export async function withSettingsInFiles(
  settings: Readonly<Record<string, string>>,
  work: (environment: { readonly SECRETS_DIRECTORY: string }) => Promise<unknown>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mounted-secret-'));
  try {
    for (const [name, value] of Object.entries(settings)) writeFileSync(join(folder, name), value);
    await work({ SECRETS_DIRECTORY: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
