import { commonConfig } from '@pay/runtime';
import { z } from 'zod';

const secret = (peer: string) =>
  z.string().min(32, 'must have at least 32 characters').describe(`Secret shared with ${peer} alone`);

/** The environment of dashboard-api. */
export const dashboardApiConfig = z.object({
  ...commonConfig,
  PEER_SECRET_INTENT_API: secret('intent-api'),
  PEER_SECRET_SMS_INGEST: secret('sms-ingest'),
  PEER_SECRET_WEBHOOK_DISPATCHER: secret('webhook-dispatcher'),
  SESSION_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .describe('Signs the access tokens of people at the dashboard'),
});
export type DashboardApiConfig = z.infer<typeof dashboardApiConfig>;
