import {
  DEFAULT_BRANDING,
  DEFAULT_CHECKOUT_RULES,
  DEFAULT_EVIDENCE_RULES,
  deviceStatus,
  NO_SUPPORT_CONTACT,
  type ApiKeyResponse,
  type DeviceResponse,
  type MerchantResponse,
  type ReceiverAccountResponse,
  type UserResponse,
} from '@pay/contracts';
import { stateOf } from './api-key-lifetime';
import type { ApiKeyRecord, DeviceRecord, MerchantRecord, ReceiverAccountRecord } from './records';

/** Copied field by field, so that a new field is not exposed by accident. */
export function merchantView(record: MerchantRecord): MerchantResponse {
  const { id, name, isActive, enabledMethods } = record;
  const reviewed = record.evidenceRules ?? DEFAULT_EVIDENCE_RULES;
  const evidenceRules = { ...reviewed, relaxedSignals: [...(reviewed.relaxedSignals ?? [])] };
  const branding = record.branding ?? DEFAULT_BRANDING;
  const checkout = record.checkout ?? DEFAULT_CHECKOUT_RULES;
  const support = record.support ?? NO_SUPPORT_CONTACT;
  const rules = { evidenceRules, branding, checkout, support };
  return { id, name, isActive, enabledMethods: [...enabledMethods], ...rules, ...historyOf(record) };
}

export type MemberView = Omit<UserResponse, 'createdAt' | 'updatedAt'> & {
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export function userView(member: MemberView): UserResponse {
  const { id, email, name, role, isActive } = member;
  return { id, email, name, role, isActive, ...historyOf(member) };
}

export function apiKeyView(record: ApiKeyRecord, lastUsedAt: Date | undefined, now: Date): ApiKeyResponse {
  const { id, environment, name, lastFour, scopes, expiresAt, revokedAt } = record;
  return {
    id,
    environment,
    name,
    lastFour,
    scopes: [...scopes],
    prefix: environment === 'LIVE' ? 'sk_live_' : 'sk_test_',
    state: stateOf(record, now),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    ...historyOf(record),
  };
}

export function receiverAccountView(record: ReceiverAccountRecord): ReceiverAccountResponse {
  const { id, environment, paymentMethod, msisdn, label, limits, isActive } = record;
  return { id, environment, paymentMethod, msisdn, label, limits, isActive, ...historyOf(record) };
}

export interface DevicePresenceView {
  readonly lastSeen: { readonly seenAt: Date; readonly sendsHeartbeat: boolean } | undefined;
  readonly now: Date;
  readonly offlineSeconds: number;
}

export function deviceView(
  record: DeviceRecord,
  { lastSeen, now, offlineSeconds }: DevicePresenceView,
): DeviceResponse {
  const { id, environment, name, sims, isDisabled, allowsUnsignedTexts, pairedAt } = record;
  const { seenAt = null, sendsHeartbeat = false } = lastSeen ?? {};
  return {
    id,
    environment,
    name,
    sims: [...sims],
    isDisabled,
    allowsUnsignedTexts,
    pairedAt: pairedAt?.toISOString() ?? null,
    status: deviceStatus({ isDisabled, seenAt, sendsHeartbeat }, now, offlineSeconds),
    lastSeenAt: seenAt?.toISOString() ?? null,
    ...historyOf(record),
  };
}

function historyOf({ version, createdAt, updatedAt }: Pick<MemberView, 'version' | 'createdAt' | 'updatedAt'>) {
  return { version, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
