import { z } from 'zod';

/** The two isolated worlds of the system; an API key or a device key belongs to exactly one (spec section 1). */
export const environmentSchema = z.enum(['SANDBOX', 'LIVE']).meta({ id: 'Environment' });
export type Environment = z.infer<typeof environmentSchema>;

/** Who a fact belongs to. Nothing is ever looked up by less than both. */
export interface Tenant {
  readonly merchantId: string;
  readonly environment: Environment;
}
