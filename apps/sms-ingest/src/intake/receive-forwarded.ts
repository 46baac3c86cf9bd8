import {
  forwarderSchema,
  incomingSmsSchema,
  MAX_SMS_BATCH,
  SIGNS_TEXT,
  type Authenticity,
  type IncomingSms,
  type SmsAccepted,
  type SmsRefused,
  BusinessError,
  ERRORS,
} from '@pay/contracts';
import type { DeviceHook } from '@pay/directory';
import { sentencesOf, ValidationError } from '@pay/http';
import type { SecretBox } from '@pay/runtime';
import { ADAPTERS } from '../forwarders';
import type { ForwarderAdapter, ForwarderReading, ForwarderRequest, ListedSms } from '../forwarders/adapter';
import type { ForwarderMetrics } from './forwarder-metrics';
import { receiveSms, receiveSmsBatch, type ReceiveSmsDeps } from './receive-sms';

export interface ReceiveForwardedDeps extends ReceiveSmsDeps {
  /** Sealed by dashboard-api. */
  readonly hookSecrets: Pick<SecretBox, 'open'>;
  readonly forwarderMetrics: ForwarderMetrics;
  readonly now: () => Date;
}

export interface ForwarderAnswer {
  readonly status: 'true' | 'false';
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Handles the request of a forwarder app to a hook and responds in the app's format. */
export async function receiveForwarded(
  deps: ReceiveForwardedDeps,
  { device, hook }: DeviceHook,
  request: ForwarderRequest,
): Promise<ForwarderAnswer> {
  const name = forwarderSchema.parse(hook.adapter);
  const adapter = ADAPTERS[name];
  const authenticity = SIGNS_TEXT[name] ? 'signed' : 'unsigned';
  if (authenticity === 'unsigned' && device.environment === 'LIVE' && device.allowsUnsignedTexts !== true) {
    deps.forwarderMetrics.requests.inc({ adapter: name, outcome: 'unsigned_refused' });
    throw new BusinessError('UNSIGNED_TEXTS_REFUSED');
  }
  const secret = hook.sealedSecret === null ? null : deps.hookSecrets.open(hook.id, hook.sealedSecret);
  const reading = checked(adapter.read(request, { secret, now: deps.now() }));
  deps.forwarderMetrics.requests.inc({ adapter: name, outcome: reading.kind });
  try {
    return await answerTo(deps, { device, authenticity }, reading);
  } catch (error) {
    throw error instanceof BusinessError ? inWordsOf(adapter, error) : error;
  }
}

/** The same, with one SMS validated like a phone's. An invalid one is rejected permanently. */
type Checked =
  | Exclude<ForwarderReading, { readonly kind: 'sms' | 'malformed' }>
  | { readonly kind: 'sms'; readonly sms: IncomingSms }
  | { readonly kind: 'malformed'; readonly problems: readonly string[] };

function checked(reading: ForwarderReading): Checked {
  if (reading.kind === 'malformed') return { kind: 'malformed', problems: [reading.problem] };
  if (reading.kind !== 'sms') return reading;
  const sms = incomingSmsSchema.safeParse(reading.sms);
  if (sms.success) return { kind: 'sms', sms: sms.data };
  return { kind: 'malformed', problems: sentencesOf(sms.error.issues, reading.sms) };
}

interface ForwardedBy {
  readonly device: DeviceHook['device'];
  readonly authenticity: Authenticity;
}

async function answerTo(deps: ReceiveForwardedDeps, by: ForwardedBy, reading: Checked): Promise<ForwarderAnswer> {
  switch (reading.kind) {
    case 'sms': {
      const { duplicate } = await receiveSms(deps, by.device, reading.sms, by.authenticity);
      return { status: 'true', message: duplicate ? 'The message was already stored.' : 'The message is stored.' };
    }
    case 'list':
      return answerToList(deps, by, reading.list);
    case 'heartbeat':
    case 'heard':
      // As after an SMS: this contact does not start offline detection, because the app sends no heartbeats.
      deps.noteSeen(by.device, { by: reading.kind === 'heartbeat' ? 'heartbeat' : 'sms' });
      return { status: 'true', message: 'The heartbeat was received.', ...reading.answer };
    case 'nothing':
      return { status: 'true', message: 'The request contained no SMS.', ...reading.answer };
    case 'malformed':
      throw new ValidationError(reading.problems);
    case 'signature':
      throw new BusinessError('UNAUTHORIZED', 'The signature is missing or wrong. Check the signing key in the app.');
    case 'stale':
      throw new BusinessError(
        'UNAUTHORIZED',
        'The signature time differs by more than five minutes. Set the clock of the phone to network time.',
      );
  }
}

/** Item by item. If one cannot be stored now, the whole request fails, so that all items are sent again. */
async function answerToList(
  deps: ReceiveForwardedDeps,
  { device, authenticity }: ForwardedBy,
  list: readonly ListedSms[],
): Promise<ForwarderAnswer> {
  const results: Record<string, unknown>[] = [];
  for (let from = 0; from < list.length; from += MAX_SMS_BATCH) {
    const part = list.slice(from, from + MAX_SMS_BATCH);
    const answers = await receiveSmsBatch(
      deps,
      device,
      part.map(({ sms }) => sms),
      authenticity,
    );
    results.push(...answers.map((answer, index) => ({ id: part[index]?.id ?? null, ...resultOf(answer) })));
  }
  return { status: 'true', message: `${list.length} messages were processed individually.`, results };
}

function resultOf(answer: SmsAccepted | SmsRefused): { status: 'true' | 'false'; message: string } {
  if (!('error' in answer)) return { status: 'true', message: answer.duplicate ? 'duplicate' : 'stored' };
  if (answer.error.code === 'INTERNAL_ERROR') throw new BusinessError('SERVICE_UNAVAILABLE', undefined, 1);
  return { status: 'false', message: answer.error.message };
}

/** Uses a status for 429 after which this app tries again. */
export function inWordsOf({ later }: Pick<ForwarderAdapter, 'later'>, error: BusinessError): BusinessError {
  return ERRORS[error.code].status === 429 && later === 503
    ? new BusinessError('SERVICE_UNAVAILABLE', undefined, error.retryAfterSeconds)
    : error;
}
