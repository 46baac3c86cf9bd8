/** Names of the six services: issuers and audiences of service credentials, prefixes of queue names. */
export const SERVICES = [
  'intent-api',
  'checkout-api',
  'sms-ingest',
  'reconciler',
  'webhook-dispatcher',
  'dashboard-api',
] as const;
export type ServiceName = (typeof SERVICES)[number];
