import { ALERT_KINDS, type AlertKind, type Environment } from '@pay/contracts';

/** Applies until an OWNER or ADMIN changes it: SANDBOX has no customers. */
export const DEFAULT_ALERT_KINDS: Readonly<Record<Environment, readonly AlertKind[]>> = {
  SANDBOX: [],
  LIVE: ALERT_KINDS,
};
