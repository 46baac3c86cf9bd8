import type { Authenticity, Environment } from '@pay/contracts';
import type { Parsed, Unparsed } from './parsed-sms';

/** An SMS with its parsed values, before it is stored. */
export interface ArrivedSms {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly deviceId: string;
  readonly receiverAccountId: string | null;
  readonly receiverMsisdn: string | null;
  /** Whether the forwarder stated this number; otherwise it is the number of the assigned wallet. */
  readonly receiverIsStated: boolean;
  readonly simSlot: number | null;
  readonly sender: string;
  readonly message: string;
  /** By the phone. */
  readonly receivedAt: Date;
  /** Received by this service: the time of the request, not of the insert. */
  readonly ingestedAt: Date;
  readonly clientMessageId: string | null;
  /** Authenticity of the sender; null for older texts. */
  readonly authenticity: Authenticity | null;
  readonly reading: Parsed | Unparsed;
  /** The wallet whose balance the text may contain; null if unknown. */
  readonly balanceChainId: string | null;
  /** Whether its merchant reviews balance breaks. */
  readonly reviewsBalanceBreaks: boolean;
  /** Hex SHA-256 of each of its repeat keys. */
  readonly fingerprints: readonly string[];
}
