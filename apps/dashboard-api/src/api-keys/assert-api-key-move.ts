import { allowsMove, stateOf, type ApiKeyMove } from '../domain/api-key-lifetime';
import type { ApiKeyRecord } from '../domain/records';
import { Refusal } from '../changes/refusal';

export function assertApiKeyMove(key: ApiKeyRecord, move: ApiKeyMove, now: Date): void {
  const state = stateOf(key, now);
  if (allowsMove(state, move)) return;
  throw new Refusal('api_key', `cannot ${move} a key that is ${state}`, 'API_KEY_NOT_ACTIVE');
}
