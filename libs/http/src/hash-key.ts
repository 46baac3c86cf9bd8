import { hash } from 'node:crypto';

/** API keys and device keys are stored and looked up as lower-case hex SHA-256. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}
