import {
  amountFromWire,
  eventsOf,
  referenceKey,
  type EventOf,
  type IntentSnapshot,
  type SequencePair,
  type SmsParsed,
  type Tenant,
} from '@pay/contracts';
import { PermanentError } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import type { Arrival, IntentArrival } from '../domain/arrivals';
import type { Evidence } from '../domain/facts';
import type { FindTermsDeps } from '../matching/find-terms';
import { decideBatch, openBatch, type DecideDeps, type Opened } from '../matching/decide-batch';

/** Opens a batch of events before it is known which of them are new. */
export async function openEvents(deps: FindTermsDeps, tx: Transaction, events: readonly EventOf[]): Promise<Opened> {
  return openBatch(deps, tx, arrivalsOf(events));
}

/** Decides an opened batch of events. Returns the ids of events that cannot be decided yet as `notYet`. */
export async function handleEvents(
  deps: DecideDeps,
  tx: Transaction,
  events: readonly EventOf[],
  opened: Opened,
): Promise<{ notYet: string[] }> {
  const { postponed } = await decideBatch(deps, tx, arrivalsOf(events), opened);
  return { notYet: postponed.map(({ eventId }) => eventId) };
}

type EventArrival = Arrival & { readonly eventId: string };

function arrivalsOf(events: readonly EventOf[]): EventArrival[] {
  return [
    ...eventsOf(events, 'intent.created', 'intent.method_selected', 'intent.expiry_moved').map((event) => ({
      ...intentArrival(tenantOf(event), event, event.data.intent),
      eventId: event.id,
    })),
    ...eventsOf(events, 'sms.parsed').map((event) => ({
      kind: 'sms' as const,
      tenant: tenantOf(event),
      evidence: evidenceOf(tenantOf(event), event.data, event),
      decisionMissing: event.data.decisionMissing,
      eventId: event.id,
    })),
    ...eventsOf(events, 'sms.unparsed').map((event) => ({
      kind: 'unparsed' as const,
      tenant: tenantOf(event),
      smsEventId: event.data.smsEventId,
      ingestedAt: new Date(event.data.ingestedAt),
      reason: event.data.reason,
      sequence: event.sequence,
      epoch: event.epoch ?? undefined,
      eventId: event.id,
    })),
    ...eventsOf(events, 'sms.signals_changed').map((event) => ({
      kind: 'signals' as const,
      tenant: tenantOf(event),
      smsEventId: event.data.smsEventId,
      signals: event.data.signals,
      sequence: event.sequence,
      epoch: event.epoch ?? undefined,
      eventId: event.id,
    })),
    ...eventsOf(events, 'claim.submitted').map(({ id, data, ...event }) => ({
      kind: 'claim' as const,
      tenant: tenantOf(event),
      claim: {
        id: data.claimId,
        intentId: data.paymentIntentId,
        trxId: data.trxId,
        submittedAt: new Date(data.submittedAt),
        payerDigits: data.payerDigits ?? undefined,
        submissionNumbers: data.submissionNumbers,
      },
      decisionMissing: data.decisionMissing,
      eventId: id,
    })),
  ];
}

function tenantOf({ merchantId, environment }: Pick<EventOf, 'merchantId' | 'environment'>): Tenant {
  if (merchantId === null || environment === null) throw new PermanentError('the event belongs to no merchant');
  return { merchantId, environment };
}

/** intent-api's facts of an intent, from an event or a response. */
export function intentArrival(
  tenant: Tenant,
  { epoch, sequence }: SequencePair,
  intent: IntentSnapshot,
): IntentArrival {
  return {
    kind: 'intent',
    tenant,
    intent: {
      id: intent.id,
      tenant,
      referenceKey: referenceKey(intent.customerReference),
      amount: amountFromWire(intent.amount),
      status: intent.status,
      createdAt: new Date(intent.createdAt),
      expiresAt: new Date(intent.expiresAt),
      shownReceivers: intent.shownReceivers.map(({ receiverAccountId, paymentMethod }) => ({
        receiverAccountId,
        paymentMethod,
      })),
      expectedTrxId: intent.expectedTrxId ?? undefined,
      expectedSenderMsisdn: intent.expectedSenderMsisdn ?? undefined,
      sourceSequence: sequence,
      sourceEpoch: epoch ?? undefined,
      decisionSequence: 0,
    },
  };
}

function evidenceOf(tenant: Tenant, sms: SmsParsed, { epoch, sequence }: SequencePair): Evidence {
  if (sms.direction !== 'IN') throw new PermanentError('invariant: sms.parsed has direction IN');
  const key = sms.reference === null ? '' : referenceKey(sms.reference);
  return {
    smsEventId: sms.smsEventId,
    tenant,
    provider: sms.provider,
    method: sms.paymentMethod,
    trxId: sms.trxId,
    referenceKey: key === '' ? undefined : key,
    amount: amountFromWire(sms.amount),
    receiverAccountId: sms.receiverAccountId ?? undefined,
    receiverMsisdn: sms.receiverMsisdn ?? undefined,
    payerMsisdn: sms.senderMsisdn ?? undefined,
    providerTime: new Date(sms.providerTime),
    ingestedAt: new Date(sms.ingestedAt),
    state: 'WAITING',
    authenticity: sms.authenticity ?? undefined,
    signals: sms.signals ?? [],
    factsSequence: sequence,
    factsEpoch: epoch ?? undefined,
    signalsSequence: sequence,
    signalsEpoch: epoch ?? undefined,
    revision: 1,
  };
}
