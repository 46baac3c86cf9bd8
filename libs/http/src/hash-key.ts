import { hash } from 'node:crypto';

/** Lower-case hex SHA-256: the form in which API keys and device keys are stored and looked up. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}
