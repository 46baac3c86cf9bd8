import {
  normaliseMsisdn,
  providerOf,
  type DeviceFact,
  type PaymentMethod,
  type Provider,
  type ReceiverAccountFact,
} from '@pay/contracts';

export interface Arrival {
  readonly simSlot: number | null;
  /** The number that the forwarder says the SMS came to. */
  readonly receiverMsisdn: string | null;
  readonly provider: Provider | null;
  readonly paymentMethod: PaymentMethod | null;
}

type Account = Pick<ReceiverAccountFact, 'id' | 'paymentMethod' | 'msisdn'>;

/**
 * The receiver account that a text belongs to, when the device's SIMs, the number and the method leave exactly one: which wallet was
 * paid is never guessed. Accounts that are switched off count too, since money can still reach them.
 */
export function resolveReceiver(
  device: Pick<DeviceFact, 'sims'>,
  accounts: readonly Account[],
  arrival: Arrival,
): Account | undefined {
  const onSim = new Set(
    device.sims
      .filter((sim) => arrival.simSlot === null || sim.simSlot === null || sim.simSlot === arrival.simSlot)
      .flatMap((sim) => sim.receiverAccountIds),
  );
  const left = accounts.filter(
    (account) => onSim.has(account.id) && hasMethod(account, arrival) && hasNumber(account, arrival.receiverMsisdn),
  );
  return left.length === 1 ? left[0] : undefined;
}

function hasMethod(account: Account, { paymentMethod, provider }: Arrival): boolean {
  if (paymentMethod !== null) return account.paymentMethod === paymentMethod;
  return provider === null || providerOf(account.paymentMethod) === provider;
}

function hasNumber(account: Account, receiverMsisdn: string | null): boolean {
  if (receiverMsisdn === null || receiverMsisdn.trim() === '') return true;
  const number = normaliseMsisdn(receiverMsisdn);
  return number !== undefined && number === normaliseMsisdn(account.msisdn);
}
