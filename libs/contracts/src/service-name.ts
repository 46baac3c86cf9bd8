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

/** One value per service. */
export function eachService<Value>(valueOf: (service: ServiceName) => Value): Record<ServiceName, Value> {
  const values = SERVICES.map((service) => [service, valueOf(service)] as const);
  return Object.fromEntries(values) as Record<ServiceName, Value>;
}
