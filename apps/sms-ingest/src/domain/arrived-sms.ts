import type { Authenticity, Environment } from '@pay/contracts';
import type { Parsed, Unparsed } from './parsed-sms';

/** An SMS as it came, with what was read from it: everything that is known before it is stored. */
export interface ArrivedSms {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly deviceId: string;
  readonly receiverAccountId: string | null;
  readonly receiverMsisdn: string | null;
  readonly simSlot: number | null;
  readonly sender: string;
  readonly message: string;
  /** By the phone. */
  readonly receivedAt: Date;
  /** By this service: the time of its request, however long it then waits to be stored. */
  readonly ingestedAt: Date;
  readonly clientMessageId: string | null;
  /** How it is known who sent it; null for texts from before that was kept. */
  readonly authenticity: Authenticity | null;
  readonly reading: Parsed | Unparsed;
  /** The wallet whose balance the text may contain; null if unknown. */
  readonly balanceChainId: string | null;
  /** Whether its merchant wants to see evidence whose balance does not follow. */
  readonly reviewsBalanceBreaks: boolean;
  /** Hex SHA-256 of each of its repeat keys. */
  readonly fingerprints: readonly string[];
}
