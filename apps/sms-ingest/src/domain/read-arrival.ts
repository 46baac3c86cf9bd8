import type { DeviceFact, ReceiverAccountFact } from '@pay/contracts';
import { parseSms, type Readers, type SenderIds } from './parse-sms';
import type { Parsed, Unparsed } from './parsed-sms';
import { resolveReceiver, type Receiver } from './resolve-receiver';

export interface Arrived {
  readonly sender: string;
  readonly message: string;
  readonly receivedAt: Date;
  readonly simSlot: number | null;
  /** The number that the forwarder says the SMS came to. */
  readonly receiverMsisdn: string | null;
}

export interface ReadArrival {
  readonly reading: Parsed | Unparsed;
  readonly account: ReceiverAccountFact | null;
}

/** Parses a text and determines its wallet together, because the wallet may change the meaning of the text. */
export function readArrival(
  sms: Arrived,
  device: Pick<DeviceFact, 'sims'>,
  accounts: readonly ReceiverAccountFact[],
  senderIds: SenderIds,
  readers?: Readers,
): ReadArrival {
  const reading = parseSms(sms, senderIds, readers);
  const values = reading.status === 'PARSED' ? reading : reading.facts && { ...reading.facts, paymentMethod: null };
  const receiver = resolveReceiver(device, accounts, { ...sms, provider: reading.provider, reading: values });
  if (reading.status === 'UNPARSED') return { reading, account: receiver.account };
  if (receiver.doubt === 'agent_float') return asFloat(reading, sms, device, accounts);
  return { reading: doubted(reading, receiver), account: receiver.account };
}

/** Money of an unknown wallet is evidence for a reviewer; without an account it never pays automatically. */
function doubted(reading: Parsed, { doubt }: Receiver): Parsed {
  if (doubt === null) return reading;
  return { ...reading, signals: [...reading.signals, { name: 'receiver', detail: doubt }] };
}

/** An agent's wallet receives no Send Money: the same text reports float there, which no customer paid. */
function asFloat(
  { status: _status, provider, signals, paymentMethod: _method, ...money }: Parsed,
  sms: Arrived,
  device: Pick<DeviceFact, 'sims'>,
  accounts: readonly ReceiverAccountFact[],
): ReadArrival {
  const facts = { ...money, kind: 'B2B_RECEIVED' } as const;
  const reading: Unparsed = { status: 'UNPARSED', provider, reason: 'not_collected', facts, signals };
  const values = { ...facts, paymentMethod: null };
  return { reading, account: resolveReceiver(device, accounts, { ...sms, provider, reading: values }).account };
}
