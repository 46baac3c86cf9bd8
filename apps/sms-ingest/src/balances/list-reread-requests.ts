import type { DeviceFact } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import type { Queryable } from '@pay/persistence';
import { askForMissing } from './missing-sms-request-repository';
import { balanceChainId } from './balance-chain-id';

export interface ListRereadRequestsDeps {
  readonly db: Queryable;
  readonly directory: Pick<Directory, 'receiverAccounts'>;
  /** Maximum number of requests to phones for one window without a new text. */
  readonly mostAsks: number;
}

/** Part of its inbox that a phone should send again, both ends included. Repeats are ignored. */
export interface RereadRequest {
  readonly receiverAccountId: string;
  /** Null: any slot. */
  readonly simSlot: number | null;
  readonly from: Date;
  readonly to: Date;
}

/**
 * Times in texts have minute precision and texts may arrive hours late; the phone knows the time of receipt, not the
 * time in the text.
 */
const MARGIN_BEFORE_MS = 2 * 60_000;
const MARGIN_BEHIND_MS = 30 * 60_000;
const MOST_WINDOWS = 20;

/**
 * The parts of its inbox that this phone should send again because balances show missing texts. Each call is counted.
 */
export async function listRereadRequests(
  { db, directory, mostAsks }: ListRereadRequestsDeps,
  device: Pick<DeviceFact, 'merchantId' | 'environment' | 'sims'>,
): Promise<RereadRequest[]> {
  const accounts = new Map((await directory.receiverAccounts(device)).map((account) => [account.id, account]));
  const places = device.sims.flatMap(({ simSlot, receiverAccountIds }) =>
    receiverAccountIds.flatMap((id) => {
      const account = accounts.get(id);
      return account === undefined ? [] : [{ chainId: balanceChainId(account), receiverAccountId: id, simSlot }];
    }),
  );
  if (places.length === 0) return [];
  const chainIds = [...new Set(places.map(({ chainId }) => chainId))];
  const windows = await askForMissing(db, chainIds, { mostAsks, mostWindows: MOST_WINDOWS });
  return windows.flatMap(({ chainId, from, to }) =>
    places
      .filter((place) => place.chainId === chainId)
      .map(({ receiverAccountId, simSlot }) => ({
        receiverAccountId,
        simSlot,
        from: new Date(from.getTime() - MARGIN_BEFORE_MS),
        to: new Date(to.getTime() + MARGIN_BEHIND_MS),
      })),
  );
}
