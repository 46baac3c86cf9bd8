import { hash } from 'node:crypto';
import {
  normaliseMsisdn,
  type Authenticity,
  type DeviceFact,
  type IncomingSms,
  type ReceiverAccountFact,
} from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { balanceChainId } from '../balances/balance-chain-id';
import type { ArrivedSms } from '../domain/arrived-sms';
import type { Readers, SenderIds } from '../domain/parse-sms';
import { readArrival } from '../domain/read-arrival';
import { repeatKeys } from '../domain/repeat-keys';
import type { ServiceDeps } from '../service-deps';

export interface ArriveDeps extends Pick<ServiceDeps, 'now' | 'newId'> {
  readonly directory: Pick<Directory, 'merchant' | 'receiverAccounts'>;
  readonly senderIds: SenderIds;
  /** Replaces the default parsers. */
  readonly readers?: Readers | undefined;
}

/** The origin of a request, shared by all its messages. */
export interface Origin {
  readonly device: DeviceFact;
  readonly authenticity: Authenticity | null;
  readonly accounts: readonly ReceiverAccountFact[];
  readonly reviewsBalanceBreaks: boolean;
}

export async function originOf(
  { directory }: Pick<ArriveDeps, 'directory'>,
  device: DeviceFact,
  authenticity: Authenticity | null,
): Promise<Origin> {
  const [accounts, merchant] = await Promise.all([
    directory.receiverAccounts(device),
    directory.merchant(device.merchantId),
  ]);
  return {
    device,
    authenticity,
    accounts,
    reviewsBalanceBreaks: merchant?.evidenceRules?.reviewBalanceBreaks === true,
  };
}

/** Parses an SMS and computes its fingerprints before it is stored. */
export function arrive(
  { senderIds, readers, newId, now }: Pick<ArriveDeps, 'senderIds' | 'readers' | 'newId' | 'now'>,
  { device, authenticity, accounts, reviewsBalanceBreaks }: Origin,
  sms: IncomingSms,
): ArrivedSms {
  const simSlot = sms.simSlot ?? null;
  const given = sms.receiverMsisdn ?? null;
  const stated = given === null ? undefined : normaliseMsisdn(given);
  const receivedAt = new Date(sms.receivedAt);
  const text = { sender: sms.sender, message: sms.message, receivedAt, simSlot, receiverMsisdn: given };
  const { reading, account } = readArrival(text, device, accounts, senderIds, readers);
  const facts = {
    merchantId: device.merchantId,
    environment: device.environment,
    deviceId: device.id,
    receiverAccountId: account?.id ?? null,
    sender: sms.sender,
    message: sms.message,
    receivedAt,
    clientMessageId: sms.clientMessageId ?? null,
  };
  return {
    ...facts,
    id: newId(),
    ingestedAt: now(),
    receiverMsisdn: account?.msisdn ?? stated ?? given,
    receiverIsStated: stated !== undefined,
    simSlot,
    authenticity,
    reading,
    balanceChainId: account && balanceChainId(account),
    reviewsBalanceBreaks,
    fingerprints: repeatKeys(facts).map((key) => hash('sha256', key, 'hex')),
  };
}
