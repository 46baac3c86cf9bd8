import type {
  ApiKeyScope,
  Branding,
  CheckoutRules,
  DeviceFact,
  Environment,
  EvidenceRules,
  PaymentMethod,
  ReceiverLimits,
  Role,
  SupportContact,
} from '@pay/contracts';
import type { HookRecord } from './forwarder-hook';

interface Versioned {
  readonly id: string;
  /** 1 at creation, incremented by every change. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

interface Owned {
  readonly merchantId: string;
  readonly environment: Environment;
}

export interface MerchantRecord extends Versioned {
  readonly name: string;
  readonly isActive: boolean;
  readonly enabledMethods: readonly PaymentMethod[];
  readonly evidenceRules: EvidenceRules | null;
  readonly branding: Branding | null;
  readonly checkout: CheckoutRules | null;
  readonly support: SupportContact | null;
}

export interface UserRecord extends Versioned {
  readonly merchantId: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
  readonly isActive: boolean;
}

export interface ApiKeyRecord extends Versioned, Owned {
  readonly name: string;
  readonly keyHash: string;
  /** Null for old keys. */
  readonly lastFour: string | null;
  readonly scopes: readonly ApiKeyScope[];
  readonly isLocked: boolean;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface ReceiverAccountRecord extends Versioned, Owned {
  readonly paymentMethod: PaymentMethod;
  readonly msisdn: string;
  readonly label: string | null;
  readonly limits: ReceiverLimits | null;
  readonly isActive: boolean;
}

export type Sim = DeviceFact['sims'][number];

export interface DeviceRecord extends Versioned, Owned {
  readonly name: string;
  readonly keyHash: string;
  readonly sims: readonly Sim[];
  /** Oldest first. */
  readonly hooks: readonly HookRecord[];
  readonly isDisabled: boolean;
  readonly allowsUnsignedTexts: boolean;
  /** When the current key was issued; null if no key was issued. */
  readonly pairedAt: Date | null;
}

/** Keys are the names of records in the audit log. */
export interface Records {
  readonly merchant: MerchantRecord;
  readonly user: UserRecord;
  readonly api_key: ApiKeyRecord;
  readonly receiver_account: ReceiverAccountRecord;
  readonly device: DeviceRecord;
}
export type RecordKind = keyof Records;

export function begun<Fields extends { readonly id: string }>(fields: Fields, now: Date): Fields & Versioned {
  return { ...fields, version: 1, createdAt: now, updatedAt: now, deletedAt: null };
}

/** Returns the same object if nothing changes. */
export function changed<Record extends Versioned>(
  record: Record,
  change: Partial<Omit<Record, keyof Versioned>>,
  now: Date,
): Record {
  const differs = Object.entries(change).some(
    ([field, value]) => canonical(value) !== canonical(Reflect.get(record, field)),
  );
  return differs ? { ...record, ...change, version: record.version + 1, updatedAt: now } : record;
}

/** Postgres changes the order of keys of a jsonb object. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
