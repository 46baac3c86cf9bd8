import { type BusinessError } from '@pay/contracts';
import type { Guessed, FormatRefusal } from '@pay/rate-limits';
import type { Request } from 'express';
import { ADAPTERS } from '../forwarders';
import { inWordsOf } from './receive-forwarded';

/** /v1/sms-events/hooks/textbee/7f3c... and every other spelling of it that Express routes to the same handler. */
const HOOK_ADDRESS = /^\/v1\/sms-events\/hooks\/([^/]+)\/([^/]+)\/?$/i;

/** Uses the adapter's own response format for 429, because some forwarder apps drop their message after a 429. */
export const formatHookRefusal: FormatRefusal = (request) => (refusal: BusinessError) => {
  const [, name = ''] = HOOK_ADDRESS.exec(request.path) ?? [];
  const adapter = Object.entries(ADAPTERS).find(([known]) => known === name)?.[1];
  return adapter === undefined ? refusal : inWordsOf(adapter, refusal);
};

/**
 * Limits unknown device keys and hook URLs, which are looked up at dashboard-api, so that one address cannot use up all
 * look-ups. A wrong signature is not counted: its hook is known, and its server may be shared.
 */
export const UNKNOWN_CREDENTIALS: Guessed = {
  credentialOf: (request) => HOOK_ADDRESS.exec(request.path)?.[2] ?? deviceKeyIn(request),
  isWrong: ({ code }, { path }) => code === (HOOK_ADDRESS.test(path) ? 'NOT_FOUND' : 'UNAUTHORIZED'),
  formatRefusal: formatHookRefusal,
};

function deviceKeyIn({ headers }: Request): string | undefined {
  const key = headers['x-device-key'];
  return typeof key === 'string' ? key : undefined;
}
