import type { EvidenceRules, Environment } from '@pay/contracts';
import { DEFAULT_EVIDENCE_RULES } from '@pay/contracts';
import { NAGAD_WALLET, OTHER_WALLET, WALLET } from '../builders';

/** What happens in a history, in plain values: times in milliseconds, amounts in poisha. */
export interface IntentFact {
  readonly id: string;
  readonly environment: Environment;
  readonly reference: string;
  readonly amount: number;
  readonly made: number;
  readonly ends: number;
  /** Numbers of wallets. Empty: no method chosen yet. */
  readonly shown: readonly number[];
  readonly expectedTrxId: string | undefined;
  readonly expectedPayer: string | undefined;
  readonly sequence: number;
}

export interface TextFact {
  readonly id: string;
  readonly environment: Environment;
  readonly provider: 'BKASH' | 'NAGAD';
  readonly trxId: string;
  readonly reference: string | undefined;
  readonly amount: number;
  /** Undefined: it could belong to several wallets. */
  readonly wallet: number | undefined;
  readonly payer: string | undefined;
  readonly sent: number;
  readonly here: number;
  readonly signals: readonly string[];
  /** Its forwarder app did not sign it. */
  readonly isUnsigned: boolean;
}

export interface ClaimFact {
  readonly id: string;
  readonly environment: Environment;
  readonly intentId: string;
  readonly trxId: string;
  readonly at: number;
  /** The last three digits of the paying number, as the customer has entered them. */
  readonly digits: string | undefined;
}

export type Method = 'BKASH_SEND_MONEY' | 'NAGAD_SEND_MONEY';
export const WALLETS: readonly { readonly id: string; readonly method: Method }[] = [
  { id: WALLET, method: 'BKASH_SEND_MONEY' },
  { id: OTHER_WALLET, method: 'BKASH_SEND_MONEY' },
  { id: NAGAD_WALLET, method: 'NAGAD_SEND_MONEY' },
];
export const methodOf = (wallet: number): Method => WALLETS[wallet]?.method ?? 'BKASH_SEND_MONEY';

/** The same references and TrxIDs in both environments: they must not meet. */
export const environmentOf = (intent: number): Environment => (intent < 3 ? 'LIVE' : 'SANDBOX');

/** Settings of a merchant, the same for both environments. */
export interface Shop {
  readonly isActive: boolean;
  readonly methods: readonly Method[];
  /** Numbers of the wallets that are switched on. */
  readonly wallets: readonly number[];
  readonly rules: EvidenceRules;
  readonly requirePayerDigits: boolean;
}
export const NEW_SHOP: Shop = {
  isActive: true,
  methods: ['BKASH_SEND_MONEY', 'NAGAD_SEND_MONEY'],
  wallets: [0, 1, 2],
  rules: DEFAULT_EVIDENCE_RULES,
  requirePayerDigits: false,
};

export const PERSONS_ACTS = ['resolve', 'link', 'reject', 'refunded', 'not-ours', 'reopen', 'assign'] as const;
export type PersonsAct = (typeof PERSONS_ACTS)[number];

/** One thing that happens at one moment. */
export type Happening =
  | { readonly kind: 'intent'; readonly intent: IntentFact }
  | { readonly kind: 'text'; readonly text: TextFact }
  | { readonly kind: 'unparsed'; readonly id: string; readonly environment: Environment; readonly here: number }
  | {
      readonly kind: 'signals';
      readonly id: string;
      readonly environment: Environment;
      readonly signals: readonly string[];
      readonly sequence: number;
    }
  | { readonly kind: 'claim'; readonly claim: ClaimFact }
  | {
      readonly kind: 'expire';
      readonly clock: number;
      /** Since when something of an environment is on its way. */
      readonly undecided: Readonly<Partial<Record<Environment, number>>>;
    }
  | { readonly kind: 'windows'; readonly clock: number }
  | { readonly kind: 'look' }
  | { readonly kind: 'settings'; readonly shop: Shop }
  | {
      readonly kind: 'person';
      readonly act: PersonsAct;
      readonly textId: string;
      readonly intentId: string;
      /** Acknowledges every difference, with both amounts. */
      readonly acknowledged: { readonly expected: number; readonly received: number } | undefined;
      readonly isSentTwice: boolean;
      readonly at: number;
    };
