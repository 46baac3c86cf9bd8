import { z } from 'zod';

/** The two isolated data sets; an API key or device key belongs to exactly one (spec section 1). */
export const environmentSchema = z.enum(['SANDBOX', 'LIVE']).meta({ id: 'Environment' });
export type Environment = z.infer<typeof environmentSchema>;

/** The owner of a fact. Every query contains both values. */
export interface Tenant {
  readonly merchantId: string;
  readonly environment: Environment;
}

/** Identifies a tenant in maps. */
export function tenantKey({ merchantId, environment }: Tenant): string {
  return `${merchantId} ${environment}`;
}
