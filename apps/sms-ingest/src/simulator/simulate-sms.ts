import { randomInt } from 'node:crypto';
import {
  amountFromWire,
  internalParsedSmsSchema,
  providerOf,
  SIMULATOR_DEVICE_ID,
  type DeviceFact,
  type InternalSimulation,
  type InternalSimulationResponse,
  type PaymentMethod,
  type Provider,
  type ReceiverAccountFact,
  type Tenant,
  BusinessError,
} from '@pay/contracts';
import type { Database } from '@pay/persistence';
import type { Semaphore } from '@pay/runtime';
import { balanceChainId } from '../balances/balance-chain-id';
import { lockLastBalance } from './simulated-balance-repository';
import { changeOfBalance, composeSms, usualFee } from '../domain/compose-sms';
import { bkashIdAt, nagadIdAt } from '../domain/parsing/trx-id-clocks';
import { receiveSms, type ReceiveSmsDeps } from '../intake/receive-sms';
import { findSmsEvent } from '../texts/sms-event-view-repository';

export interface SimulateSmsDeps extends Omit<ReceiveSmsDeps, 'noteSeen' | 'noteRepeat'> {
  readonly db: Database;
  /** Runs tasks one after another: each text of a wallet continues the previous balance. */
  readonly inTurn: Semaphore;
}

/** Balance of a wallet before its first simulated SMS: Tk 10,000. */
const FIRST_BALANCE = 1_000_000n;

type Composed = Extract<InternalSimulation, { readonly composed: unknown }>['composed'];

interface Text {
  readonly sender: string;
  readonly message: string;
  readonly receiverMsisdn: string;
  readonly receivedAt: string;
}

/**
 * Passes an SMS through the intake as if a phone with all SANDBOX wallets of the merchant had forwarded it. LIVE is
 * refused.
 */
export async function simulateSms(
  deps: SimulateSmsDeps,
  tenant: Tenant,
  simulation: InternalSimulation,
): Promise<InternalSimulationResponse> {
  if (tenant.environment !== 'SANDBOX') throw new BusinessError('FORBIDDEN', 'SMS are simulated in SANDBOX only.');
  const accounts = await deps.directory.receiverAccounts(tenant);
  const device = simulatorDevice(tenant, accounts);
  if ('raw' in simulation) {
    const { sender, message, receiverMsisdn, receivedAt } = simulation.raw;
    return send(deps, device, { sender, message, receiverMsisdn, receivedAt: receivedAt ?? nowOf(deps) });
  }
  const { composed } = simulation;
  const given = composed.balance ?? null;
  if (given !== null)
    return send(
      deps,
      device,
      textOf(deps, composed, () => amountFromWire(given)),
    );
  const chainId = balanceChainId({ ...tenant, paymentMethod: composed.paymentMethod, msisdn: composed.receiverMsisdn });
  return deps.inTurn(() =>
    // The lock is held until the text is stored: another replica continues from its balance.
    deps.db.transaction(async (tx) => {
      const last = (await lockLastBalance(tx, chainId)) ?? FIRST_BALANCE;
      return send(
        deps,
        device,
        textOf(deps, composed, (change) => last + change),
      );
    }),
  );
}

function simulatorDevice(tenant: Tenant, accounts: readonly Pick<ReceiverAccountFact, 'id'>[]): DeviceFact {
  return {
    id: SIMULATOR_DEVICE_ID,
    ...tenant,
    version: 1,
    deleted: false,
    name: 'Simulator',
    keyHash: '',
    isDisabled: false,
    sims: [{ simSlot: null, receiverAccountIds: accounts.map(({ id }) => id) }],
  };
}

function textOf(
  { now, senderIds }: Pick<SimulateSmsDeps, 'now' | 'senderIds'>,
  composed: Composed,
  balanceAfter: (change: bigint) => bigint,
): Text {
  const { paymentMethod, customerReference, receiverMsisdn, senderMsisdn, receivedAt, trxId, fee: givenFee } = composed;
  const at = receivedAt === null || receivedAt === undefined ? now() : new Date(receivedAt);
  const provider = providerOf(paymentMethod);
  const amount = amountFromWire(composed.amount);
  const fee = givenFee === null || givenFee === undefined ? usualFee(paymentMethod, amount) : amountFromWire(givenFee);
  const payment = { paymentMethod, amount, fee };
  const message = composeSms({
    ...payment,
    balance: balanceAfter(changeOfBalance(payment)),
    payer: senderMsisdn,
    reference: customerReference ?? null,
    trxId: trxId ?? newTrxId(paymentMethod, at),
    at,
  });
  return { sender: senderIds[provider][0] ?? provider, message, receiverMsisdn, receivedAt: at.toISOString() };
}

/** An id as the provider of the method would make it at a time. */
export function newTrxId(paymentMethod: PaymentMethod, at: Date): string {
  return TRX_IDS[providerOf(paymentMethod)](at);
}

const TRX_IDS: Readonly<Record<Provider, (at: Date) => string>> = {
  BKASH: (at) => bkashIdAt(at, () => randomInt(36)),
  NAGAD: (at) => nagadIdAt(at, Math.random),
};

async function send(deps: SimulateSmsDeps, device: DeviceFact, text: Text): Promise<InternalSimulationResponse> {
  const intake = { ...deps, noteSeen: () => undefined, noteRepeat: () => undefined };
  const { id, duplicate } = await receiveSms(intake, device, text);
  const stored = await findSmsEvent(deps.db, device.merchantId, id);
  if (stored === undefined) throw new Error('invariant: an accepted SMS is stored');
  return { sms: text, smsEvent: internalParsedSmsSchema.parse({ ...stored.facts, duplicate }) };
}

function nowOf({ now }: Pick<SimulateSmsDeps, 'now'>): string {
  return now().toISOString();
}
