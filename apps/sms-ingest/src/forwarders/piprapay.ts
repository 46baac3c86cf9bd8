import { malformed, type ForwarderAdapter, type ForwarderReading, type ListedSms } from './adapter';
import { fieldsOf, formFields, jsonFields, looksLikeJson, textOf, type Fields } from './fields';
import { readTemplate } from './incoming-sms-to-url';
import { instantOf } from './instant';
import { simSlotOf } from './sim-slot';

/** Whom the third version's app is to forward; the others stay on the phone. */
const SENDERS = ['bkash', 'nagad', '16216', 'upay'];

/**
 * PipraPay's apps: version 2 sends SMS as JSON and signs of life as a form, version 3 sends forms that name an action.
 * Neither signs.
 */
export const piprapay: ForwarderAdapter = {
  methods: ['POST'],
  later: 429,
  read({ rawBody }, { now }) {
    const body = looksLikeJson(rawBody) ? jsonFields(rawBody) : formFields(rawBody);
    if (body === undefined) return malformed('body must be a valid JSON object');
    const action = textOf(body, 'action-companion', 'action');
    if (action !== undefined) return readAction(action, body, now);
    if (textOf(body, 'check') !== undefined || textOf(body, 'connection_status') === 'Connected') {
      // Every half hour: a device must not count as silent for twenty-seven minutes of each.
      return { kind: 'heard', answer: stampOf(now) };
    }
    return textOf(body, 'connection_status') === undefined ? readTemplate(body, now) : { kind: 'nothing' };
  },
};

function readAction(action: string, body: Fields, now: Date): ForwarderReading {
  switch (action) {
    case 'sms-transmit-bulk':
      return readList(body['sms_list'], now);
    // The hook identifies the device; the app only requires a token in the response.
    case 'login':
      return { kind: 'nothing', answer: { token: 'hook' } };
    case 'sms-transmit-sender': {
      const senders = SENDERS.map((name) => ({ provider_key: name, name, currency: 'BDT', balance_verify: 'false' }));
      return { kind: 'nothing', answer: { senders } };
    }
    default:
      return { kind: 'nothing' };
  }
}

function readList(given: unknown, now: Date): ForwarderReading {
  const list = typeof given === 'string' ? jsonFields(`{"list":${given}}`)?.['list'] : given;
  if (!Array.isArray(list)) return malformed('sms_list is required and must be a JSON array');
  return { kind: 'list', list: list.map((item) => readItem(fieldsOf(item) ?? {}, now)) };
}

function readItem(item: Fields, now: Date): ListedSms {
  return {
    id: item['id'] ?? null,
    sms: {
      sender: item['sender'],
      message: item['message'],
      receivedAt: instantOf(now, item['timestamp']),
      simSlot: simSlotOf(item['simSlot']),
      clientMessageId: textOf(item, 'id'),
    },
  };
}

function stampOf(now: Date) {
  return { success: true, time_stamp: Math.floor(now.getTime() / 1_000) };
}
