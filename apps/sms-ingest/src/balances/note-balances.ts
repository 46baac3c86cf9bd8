import { BALANCE_BREAK } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { balancesAround, replaceBalanceTexts, type NewBalanceText, type Surroundings } from './balance-text-repository';
import type { ArrivedSms } from '../domain/arrived-sms';
import { balanceFactsOf, type BalanceFacts } from '../domain/balance-effects';
import { fitAtOnce, type KnownPlace } from '../domain/balance-tip';

/** The values of a new or re-parsed text that the chain uses. */
export type NotedSms = Pick<ArrivedSms, 'id' | 'balanceChainId' | 'receivedAt' | 'reading'>;

/** Enough to cover the previous minute, also in a burst, and the doubted texts after a place. */
const AROUND = { known: 40, later: 20 };

interface Place {
  readonly sms: NotedSms;
  readonly chainId: string;
  readonly at: Date;
  readonly facts: BalanceFacts;
}

/** The place of a text in its wallet's chain; undefined without a balance or if the wallet is unknown. */
function placeOf(sms: NotedSms): Place | undefined {
  const { reading, balanceChainId: chainId, receivedAt } = sms;
  if (chainId === null || (reading.status === 'UNPARSED' && reading.reason === 'untrusted_sender')) return undefined;
  const read = reading.status === 'PARSED' ? reading : reading.facts;
  const facts = read === null ? undefined : balanceFactsOf(read);
  return facts && { sms, chainId, at: read?.providerTime ?? receivedAt, facts };
}

/** The row that makes a new text a work item of the balance worker. */
export function balanceTextsOf(sms: readonly NotedSms[]): NewBalanceText[] {
  const places = sms.flatMap((each) => placeOf(each) ?? []);
  return places.map(({ sms: { id, receivedAt, reading }, chainId, at, facts }) => ({
    id,
    chainId,
    at,
    receivedAt,
    ...facts,
    isDoubted: reading.signals.some(({ name }) => name === BALANCE_BREAK),
  }));
}

/** Moves re-parsed texts, whose chains the caller has locked, to their places. */
export function moveBalances(tx: Transaction, sms: readonly NotedSms[]): void {
  replaceBalanceTexts(
    tx,
    sms.map(({ id }) => id),
    balanceTextsOf(sms),
  );
}

/**
 * The texts, with the signal `balance_break` if their merchant reviews breaks and the known texts around them do not
 * fit: such evidence waits for a person or a late text. Other merchants' texts cause no query.
 */
export async function doubtBalances(tx: Transaction, sms: readonly ArrivedSms[]): Promise<readonly ArrivedSms[]> {
  const careful = sms.filter(({ reviewsBalanceBreaks }) => reviewsBalanceBreaks);
  if (!careful.some(({ reading, balanceChainId }) => reading.status === 'PARSED' && balanceChainId !== null))
    return sms;

  // Texts of any kind in the same group may lead to each other.
  const places = careful.flatMap((each) => placeOf(each) ?? []);
  const shown = places.filter(({ facts }) => facts.balance !== null);
  const surroundings = await balancesAround(tx, shown, AROUND);
  const accepted = new Set(
    fitAtOnce(
      shown.flatMap((place, index): KnownPlace[] => {
        const around = surroundings[index];
        return around === undefined ? [] : [knownPlace(place, around)];
      }),
    ),
  );
  const doubted = new Set(shown.flatMap(({ sms: { id } }) => (accepted.has(id) ? [] : id)));
  return sms.map((each) => (doubted.has(each.id) ? withDoubt(each) : each));
}

function knownPlace({ sms, chainId, at, facts }: Place, around: Surroundings): KnownPlace {
  return { id: sms.id, chainId, at, balance: facts.balance ?? 0n, effects: facts.effects, ...around };
}

function withDoubt(sms: ArrivedSms): ArrivedSms {
  const signals = [...sms.reading.signals, { name: BALANCE_BREAK, detail: 'does_not_follow' }];
  return { ...sms, reading: { ...sms.reading, signals } };
}
