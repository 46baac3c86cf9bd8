import { ALERT_KINDS, type AlertKind, type Environment } from '@pay/contracts';

/** Defaults until an OWNER or ADMIN changes them. SANDBOX has no customers, so it needs fewer alerts. */
export const DEFAULT_ALERT_KINDS: Readonly<Record<Environment, readonly AlertKind[]>> = {
  SANDBOX: [],
  LIVE: ALERT_KINDS,
};
